// Package runtimeschema checks JSON against schemas that come at run time: those of tools that a
// program adds, and those that another server sends. santhosh-tekuri/jsonschema checks; regular
// expressions mean what ECMA-262 says, the work has a budget, no reference leads out of a schema, and
// what is found is reported through jsonrt's checker, so that faults read and are ordered as those of
// compiled schemas.
package runtimeschema
