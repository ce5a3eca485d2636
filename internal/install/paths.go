package install

import (
	"path/filepath"
	"strings"
)

func inHome(elements ...string) func(Env) string {
	return func(e Env) string { return filepath.Join(append([]string{e.Home}, elements...)...) }
}

// inConfig is below the folder in which the system keeps the settings of applications.
func inConfig(elements ...string) func(Env) string {
	return func(e Env) string {
		var base string
		switch e.GOOS {
		case "darwin":
			base = filepath.Join(e.Home, "Library", "Application Support")
		case "windows":
			base = e.Getenv("APPDATA")
			if base == "" {
				base = filepath.Join(e.Home, "AppData", "Roaming")
			}
		default:
			return inXDG(elements...)(e)
		}
		return filepath.Join(append([]string{base}, elements...)...)
	}
}

// inXDG is below ~/.config or the folder that is named in its place, on any system.
func inXDG(elements ...string) func(Env) string {
	return func(e Env) string {
		base := e.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(base) { // the XDG specification: others are to be ignored
			base = filepath.Join(e.Home, ".config")
		}
		return filepath.Join(append([]string{base}, elements...)...)
	}
}

// inNamed is in the folder that an environment variable names, or else in one of the home
// folder.
func inNamed(variable, folder, file string) func(Env) string {
	return func(e Env) string {
		if dir := e.Getenv(variable); dir != "" {
			return filepath.Join(dir, file)
		}
		return filepath.Join(e.Home, folder, file)
	}
}

// zed has its settings in ~/.config on macOS too, and in "Zed" on Windows.
func zed(e Env) string {
	switch e.GOOS {
	case "darwin":
		return filepath.Join(e.Home, ".config", "zed", "settings.json")
	case "windows":
		return inConfig("Zed", "settings.json")(e)
	}
	return inConfig("zed", "settings.json")(e)
}

// goose has its settings in ~/.config on macOS too, and with its maker's name on Windows.
func goose(e Env) string {
	if root := e.Getenv("GOOSE_PATH_ROOT"); filepath.IsAbs(root) { // Goose ignores others
		return filepath.Join(root, "config", "config.yaml")
	}
	if e.GOOS == "windows" {
		return inConfig("Block", "goose", "config", "config.yaml")(e)
	}
	return inXDG("goose", "config.yaml")(e)
}

// cline looks where its variables say, the most exact one first.
func cline(e Env) string {
	const file = "cline_mcp_settings.json"
	if path := strings.TrimSpace(e.Getenv("CLINE_MCP_SETTINGS_PATH")); path != "" {
		return path
	}
	if dir := strings.TrimSpace(e.Getenv("CLINE_DATA_DIR")); dir != "" {
		return filepath.Join(dir, "settings", file)
	}
	if dir := strings.TrimSpace(e.Getenv("CLINE_DIR")); dir != "" {
		return filepath.Join(dir, "data", "settings", file)
	}
	return filepath.Join(e.Home, ".cline", "data", "settings", file)
}
