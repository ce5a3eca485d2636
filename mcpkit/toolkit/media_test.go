package toolkit_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// files are the beginnings of files, by their media type.
var files = map[string]string{
	"image/png":       "\x89PNG\r\n\x1a\n\x00\x00",
	"image/jpeg":      "\xff\xd8\xff\xe0\x00\x10JFIF",
	"image/gif":       "GIF89a\x01\x00",
	"image/webp":      "RIFF\x24\x00\x00\x00WEBPVP8 ",
	"audio/mpeg":      "\xff\xfb\x90\x44\x00\x00",
	"audio/wav":       "RIFF\x24\x00\x00\x00WAVEfmt ",
	"audio/ogg":       "OggS\x00\x02",
	"audio/mp4":       "\x00\x00\x00\x20ftypM4A \x00",
	"image/bmp":       "BM\x00\x00",
	"image/tiff":      "II*\x00",
	"image/svg+xml":   `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"audio/flac":      "fLaC\x00",
	"application/pdf": "%PDF-1.7",
	"":                "no file at all",
}

// takes are the formats that helpers take.
var takes = map[string]string{
	"image/png": "image", "image/jpeg": "image", "image/gif": "image", "image/webp": "image",
	"audio/mpeg": "audio", "audio/wav": "audio", "audio/ogg": "audio", "audio/mp4": "audio",
}

// TestT30Images: an image is what its first bytes say; other formats are refused by their names.
func TestT30Images(t *testing.T) {
	t.Parallel()
	for mimeType, data := range files {
		image, err := toolkit.ImageBytes([]byte(data))
		if takes[mimeType] == "image" {
			require.NoError(t, err, mimeType)
			require.Equal(t, toolkit.Image{Data: []byte(data), MIMEType: mimeType}, image)
			continue
		}
		var refused *toolkit.MediaError
		require.ErrorAs(t, err, &refused, mimeType)
		require.Equal(t, mimeType, refused.Got)
		require.ErrorContains(t, err, "take PNG, JPEG, GIF or WebP")
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(files["image/png"]))
	for _, good := range [][2]string{
		{encoded, ""},
		{encoded, "image/png"},
		{encoded, "png"},
		{encoded, "PNG"},
		{encoded, "image/png; x=y"},
		{"data:image/png;base64," + encoded, ""},
		{strings.TrimRight(encoded, "="), ""},
		{encoded[:8] + "\r\n" + encoded[8:], ""},
		{base64.URLEncoding.EncodeToString([]byte(files["image/png"])), ""},
	} {
		image, err := toolkit.ImageBase64(good[0], good[1])
		require.NoError(t, err, good)
		require.Equal(t, "image/png", image.MIMEType, "the type stands there once, without data:")
		require.Equal(t, files["image/png"], string(image.Data))
	}
	for message, bad := range map[string][2]string{
		"the file is image/png, not image/jpeg as it is said to be":                   {encoded, "image/jpeg"},
		"the file is image/png, not image/bmp as it is said to be":                    {encoded, "image/bmp"},
		"the file is image/bmp, not image/png as it is said to be":                    {"Qk0AAA==", "png"},
		"the format of the file is not known: take PNG, JPEG, GIF or WebP":            {"AAAA", ""},
		"the file is not image/gif, as it is said to be: take PNG, JPEG, GIF or WebP": {"AAAA", "gif"},
		"the text is not base64":                                    {"no base64!", ""},
		"the text is not base64 (":                                  {"", ""},
		"the text is not base64 (RFC":                               {"data:image/png," + encoded, ""},
		"the file is image/png, not text/plain as it is said to be": {"data:text/plain;base64," + encoded, ""},
	} {
		_, err := toolkit.ImageBase64(bad[0], bad[1])
		require.ErrorContains(t, err, message)
	}
}

// TestT31Audio: a recording likewise; short names of formats will do.
func TestT31Audio(t *testing.T) {
	t.Parallel()
	for mimeType, data := range files {
		audio, err := toolkit.AudioBytes([]byte(data))
		if takes[mimeType] == "audio" {
			require.NoError(t, err, mimeType)
			require.Equal(t, toolkit.Audio{Data: []byte(data), MIMEType: mimeType}, audio)
			continue
		}
		var refused *toolkit.MediaError
		require.ErrorAs(t, err, &refused, mimeType)
		require.ErrorContains(t, err, "take MP3, WAV, OGG or M4A")
	}
	for short, mimeType := range map[string]string{"mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "m4a": "audio/mp4", "audio/x-wav": "audio/wav", "": "audio/mpeg"} {
		audio, err := toolkit.AudioBase64(base64.StdEncoding.EncodeToString([]byte(files[mimeType])), short)
		require.NoError(t, err, short)
		require.Equal(t, mimeType, audio.MIMEType, short)
	}
	_, err := toolkit.AudioBase64(base64.StdEncoding.EncodeToString([]byte(files["audio/ogg"])), "mp3")
	require.EqualError(t, err, "the file is audio/ogg, not audio/mpeg as it is said to be")
	audio, err := toolkit.AudioBytes([]byte("ID3\x04\x00"))
	require.NoError(t, err)
	require.Equal(t, "audio/mpeg", audio.MIMEType)
}

// TestT32Files: text stays text, bytes become base64, and a URI is there.
func TestT32Files(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	file, err := toolkit.FileBase64("notes:///b", "", "data:application/pdf;base64,JVBERi0=")
	require.NoError(t, err)
	add(t, s, "files", constant([]toolkit.File{toolkit.FileText("notes:///a", "text/x-any", "text"), file, toolkit.FileBytes("notes:///c", "x/y", nil)}))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("files", `{}`))
		require.JSONEq(t, `[{"type":"resource","resource":{"uri":"notes:///a","mimeType":"text/x-any","text":"text"}},
			{"type":"resource","resource":{"uri":"notes:///b","mimeType":"application/pdf","blob":"JVBERi0="}},
			{"type":"resource","resource":{"uri":"notes:///c","mimeType":"x/y","blob":""}}]`, string(a.Result.Content))
	})
	_, err = toolkit.FileBase64("notes:///b", "", "?")
	require.ErrorContains(t, err, "not base64")
	r, err := toolkit.TestPair(t, s).Call("files", nil)
	require.NoError(t, err)
	require.Equal(t, file, r.Content[1], "a client of the toolkit reads what a tool has made")
	_, err = json.Marshal(r)
	require.NoError(t, err)
}
