package jsonrt

// The functions named Format decide the formats of JSON Schema (drafts 4 to 2020-12,
// validation section 7.3). Each takes the decoded string, reports whether it conforms, and
// does not allocate on ordinary input. "hostname" and "idn-hostname", which
// need tables of international domain names, are in package idn.

// FormatDateTime decides "date-time": RFC 3339 section 5.6, with a "T" or "t" between date
// and time.
func FormatDateTime(s string) bool {
	const date = len("2006-01-02")
	return len(s) > date && FormatDate(s[:date]) && s[date]|0x20 == 't' && FormatTime(s[date+1:])
}

// FormatDate decides "date": a full-date of RFC 3339 section 5.6 that exists in the
// Gregorian calendar.
func FormatDate(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return false
	}
	century, ok1 := twoDigits(s[0:])
	years, ok2 := twoDigits(s[2:])
	month, ok3 := twoDigits(s[5:])
	day, ok4 := twoDigits(s[8:])
	if !ok1 || !ok2 || !ok3 || !ok4 || month < 1 || month > 12 || day < 1 {
		return false
	}
	last := 31
	switch month {
	case 4, 6, 9, 11:
		last = 30
	case 2:
		last = 28
		if years%4 == 0 && (years != 0 || century%4 == 0) {
			last = 29
		}
	}
	return day <= last
}

// FormatTime decides "time": a full-time of RFC 3339 section 5.6, which has an offset. The
// second 60 is allowed only where leap seconds can be: at 23:59 UTC, the offset considered.
func FormatTime(s string) bool {
	if len(s) < len("15:04:05Z") || s[2] != ':' || s[5] != ':' {
		return false
	}
	hour, ok1 := twoDigits(s[0:])
	minute, ok2 := twoDigits(s[3:])
	second, ok3 := twoDigits(s[6:])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 60 {
		return false
	}
	s = s[8:]
	if s[0] == '.' {
		n := countDigits(s[1:])
		if n == 0 || 1+n == len(s) {
			return false
		}
		s = s[1+n:]
	}
	offset := 0
	switch {
	case s == "Z" || s == "z":
	case len(s) == len("+00:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':':
		hours, ok1 := twoDigits(s[1:])
		minutes, ok2 := twoDigits(s[4:])
		if !ok1 || !ok2 || hours > 23 || minutes > 59 {
			return false
		}
		offset = hours*60 + minutes
		if s[0] == '-' {
			offset = -offset
		}
	default:
		return false
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == 23*60+59
}

// FormatDuration decides "duration": RFC 3339 appendix A. Units follow each other without a
// gap, from the largest one used to the smallest, and weeks stand alone.
func FormatDuration(s string) bool {
	if s == "" || s[0] != 'P' {
		return false
	}
	s = s[1:]
	rest, units := durationUnits(s, "YMD")
	if units == 0 {
		if rest, units = durationUnits(s, "W"); units > 0 {
			return rest == ""
		}
	}
	if rest == "" {
		return units > 0
	}
	if rest[0] != 'T' {
		return false
	}
	rest, units = durationUnits(rest[1:], "HMS")
	return rest == "" && units > 0
}

// durationUnits takes numbers with consecutive units off s.
func durationUnits(s, units string) (rest string, count int) {
	for {
		n := countDigits(s)
		if n == 0 || n == len(s) {
			return s, count
		}
		next := 0
		for next < len(units) && units[next] != s[n] {
			next++
		}
		if next == len(units) || count > 0 && next > 0 {
			return s, count
		}
		s, units = s[n+1:], units[next+1:]
		count++
	}
}

// twoDigits reads the two digits at the start of s, which must be that long.
func twoDigits(s string) (value int, ok bool) {
	a, b := s[0]-'0', s[1]-'0'
	return int(a)*10 + int(b), a <= 9 && b <= 9
}

// countDigits counts the ASCII digits at the start of s.
func countDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
