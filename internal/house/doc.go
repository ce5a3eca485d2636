// Package house has no code, only tests: the rules of the whole module that no single
// package can keep for itself, such as who may import whom.
package house
