package web

import _ "embed"

//go:embed page/icon.svg
var icon string

// Icon is the icon of the page, an SVG document.
func Icon() string { return icon }
