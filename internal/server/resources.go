package server

// schemaMedia is the media type of a schema.
const schemaMedia = "application/schema+json"
