package workload

// keysFormat is bare keys, one a line. Every line is a key as it stands:
// `3 user-7` and `100:48069` are keys, too.
var keysFormat = format{
	name:   Keys,
	layout: "bare keys, one a line",
	sniff:  func(sample) (string, bool) { return "since nothing else fits", true },
	read:   readKeys,
}

func readKeys(src *source, in *intake) error {
	in.announce()
	lines := linesOf(src, in.note)
	for number, text := range lines.All() {
		err := in.add(row{key: text, null: in.isNull(text), records: 1})
		if err != nil {
			err.Name, err.Line, err.Column, err.Text = src.name, number, 1, quote(text)
		}
		if err := in.tolerate(err); err != nil {
			return err
		}
	}
	return lines.Err()
}
