package toolkit

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
)

// A format of images or recordings, known by how its files begin.
type format struct {
	mimeType string
	names    []string // other names, without "image/" or "audio/"
	begins   func(data []byte) bool
}

var imageFormats = []format{
	{"image/png", []string{"png"}, begins("\x89PNG\r\n\x1a\n")},
	{"image/jpeg", []string{"jpeg", "jpg"}, begins("\xff\xd8\xff")},
	{"image/gif", []string{"gif"}, func(b []byte) bool { return begins("GIF87a")(b) || begins("GIF89a")(b) }},
	{"image/webp", []string{"webp"}, riff("WEBP")},
}

var audioFormats = []format{
	{"audio/mpeg", []string{"mpeg", "mp3", "x-mpeg", "mpeg3"}, isMP3},
	{"audio/wav", []string{"wav", "wave", "x-wav", "vnd.wave"}, riff("WAVE")},
	{"audio/ogg", []string{"ogg", "oga", "opus", "vorbis"}, begins("OggS")},
	{"audio/mp4", []string{"mp4", "m4a", "x-m4a"}, isMP4},
}

func begins(with string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(with)) }
}

// riff is for files of RIFF, whose kind stands after the length.
func riff(kind string) func([]byte) bool {
	return func(b []byte) bool { return begins("RIFF")(b) && len(b) >= 12 && string(b[8:12]) == kind }
}

// isMP3 knows an ID3 tag, and the header of a frame of layer III (ISO 11172-3, 2.4.2.3).
func isMP3(b []byte) bool {
	return begins("ID3")(b) ||
		len(b) >= 4 && b[0] == 0xff && b[1]&0xe6 == 0xe2 && b[1]&0x18 != 0x08 && b[2]>>4 != 0xf && b[2]&0x0c != 0x0c
}

// isMP4 knows the brands of files that hold sound (ISO 14496-12, 4.3). An MP4 file of another
// brand may be a film.
func isMP4(b []byte) bool {
	return len(b) >= 12 && string(b[4:8]) == "ftyp" && slices.Contains([]string{"M4A ", "M4B ", "M4P ", "mp41", "mp42", "isom", "iso2", "dash"}, string(b[8:12]))
}

// MediaError says that a file has another format than a helper takes.
type MediaError struct {
	// Kind is "image" or "audio".
	Kind string
	// Got is the format as far as it is known, such as "image/bmp", else "".
	Got string
	// Want is the format that it was said to have, "" where none was said.
	Want string
}

// Error names the format, and those that are taken.
func (e *MediaError) Error() string {
	takes := "PNG, JPEG, GIF or WebP"
	if e.Kind == "audio" {
		takes = "MP3, WAV, OGG or M4A"
	}
	switch {
	case e.Want != "" && e.Got != "":
		return fmt.Sprintf("the file is %s, not %s as it is said to be", e.Got, e.Want)
	case e.Want != "":
		return fmt.Sprintf("the file is not %s, as it is said to be: take %s", e.Want, takes)
	case e.Got != "":
		return fmt.Sprintf("the file is %s: take %s", e.Got, takes)
	}
	return "the format of the file is not known: take " + takes
}

// ImageBytes makes an image of a file: PNG, JPEG, GIF or WebP, which its first bytes tell. The
// error is a *MediaError.
func ImageBytes(data []byte) (Image, error) {
	mimeType, err := sniff("image", imageFormats, data, "")
	return Image{data, mimeType}, err
}

// ImageBase64 makes an image of a file in base64 (RFC 4648), with or without "data:…;base64,"
// before it. mimeType is what the file is said to be, such as "image/png" or "png"; it must be so.
// "" says nothing. The error is a *MediaError, or says where the text is no base64.
func ImageBase64(text, mimeType string) (Image, error) {
	data, given, err := decodeBase64(text)
	if err != nil {
		return Image{}, err
	}
	if mimeType == "" {
		mimeType = given
	}
	mimeType, err = sniff("image", imageFormats, data, mimeType)
	return Image{data, mimeType}, err
}

// AudioBytes makes a recording of a file: MP3, WAV, OGG or M4A, which its first bytes tell. The
// error is a *MediaError.
func AudioBytes(data []byte) (Audio, error) {
	mimeType, err := sniff("audio", audioFormats, data, "")
	return Audio{data, mimeType}, err
}

// AudioBase64 is for recordings what ImageBase64 is for images.
func AudioBase64(text, mimeType string) (Audio, error) {
	data, given, err := decodeBase64(text)
	if err != nil {
		return Audio{}, err
	}
	if mimeType == "" {
		mimeType = given
	}
	mimeType, err = sniff("audio", audioFormats, data, mimeType)
	return Audio{data, mimeType}, err
}

// sniff is the media type of a file, which must be one of the formats, and what it is said to be
// unless that is "".
func sniff(kind string, formats []format, data []byte, said string) (mimeType string, err error) {
	got := slices.IndexFunc(formats, func(f format) bool { return f.begins(data) })
	if said != "" {
		name, _, err := mime.ParseMediaType(said)
		if err != nil {
			name = strings.ToLower(strings.TrimSpace(said))
		}
		short := strings.TrimPrefix(name, kind+"/")
		want := slices.IndexFunc(formats, func(f format) bool { return slices.Contains(f.names, short) })
		switch {
		case want < 0 && got >= 0:
			return "", &MediaError{Kind: kind, Want: said, Got: formats[got].mimeType}
		case want < 0:
			return "", &MediaError{Kind: kind, Got: said}
		case got < 0:
			return "", &MediaError{Kind: kind, Want: formats[want].mimeType, Got: otherFormat(data)}
		case want != got:
			return "", &MediaError{Kind: kind, Want: formats[want].mimeType, Got: formats[got].mimeType}
		}
	}
	if got < 0 {
		return "", &MediaError{Kind: kind, Got: otherFormat(data)}
	}
	return formats[got].mimeType, nil
}

// otherFormat names formats that people try, "" for others.
func otherFormat(data []byte) string {
	for _, f := range append(slices.Concat(imageFormats, audioFormats),
		format{mimeType: "image/bmp", begins: begins("BM")},
		format{mimeType: "image/tiff", begins: func(b []byte) bool { return begins("II*\x00")(b) || begins("MM\x00*")(b) }},
		format{mimeType: "image/avif", begins: func(b []byte) bool { return len(b) >= 12 && string(b[4:12]) == "ftypavif" }},
		format{mimeType: "image/heic", begins: func(b []byte) bool { return len(b) >= 12 && string(b[4:11]) == "ftyphei" }},
		format{mimeType: "image/svg+xml", begins: func(b []byte) bool {
			return begins("<svg")(b) || begins("<?xml")(b) && bytes.Contains(b[:min(len(b), 1024)], []byte("<svg"))
		}},
		format{mimeType: "audio/flac", begins: begins("fLaC")},
		format{mimeType: "audio/aiff", begins: begins("FORM")},
		format{mimeType: "audio/midi", begins: begins("MThd")},
		format{mimeType: "application/pdf", begins: begins("%PDF-")},
		format{mimeType: "application/zip", begins: begins("PK\x03\x04")},
	) {
		if f.begins(data) {
			return f.mimeType
		}
	}
	return ""
}

var errBase64 = errors.New(`the text is not base64 (RFC 4648): send the letters, digits, + and / of the file, with or without "data:…;base64," before them`)

// decodeBase64 decodes base64, with or without what makes a data: URL of it (RFC 2397), whose media
// type it gives. Line breaks are ignored, and padding may be missing; the alphabet for URLs will do.
func decodeBase64(text string) (data []byte, mimeType string, err error) {
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		head, body, found := strings.Cut(rest, ",")
		mimeType, ok = strings.CutSuffix(head, ";base64")
		if !found || !ok {
			return nil, "", errBase64
		}
		text = body
	}
	text = strings.NewReplacer("\r", "", "\n", "", "-", "+", "_", "/").Replace(text)
	data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(data) == 0 {
		return nil, "", errBase64
	}
	return data, mimeType, nil
}
