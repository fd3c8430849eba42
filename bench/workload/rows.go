package workload

// A lineParser takes a line apart into a row, which comes with 1 record and
// otherwise empty. It returns false for a line that is no record but belongs there,
// and an error, with a column and without the rest of where, for a bad one.
type lineParser func(line []byte, r *row) (ok bool, wrong *ReadError)

// readRows reads an input of one record a line. Blank lines are passed over.
func readRows(src *source, in *intake, parse lineParser) error {
	in.announce()
	lines := linesOf(src, nil)
	var r row
	for number, line := range lines.All() {
		if len(line) == 0 {
			continue
		}
		r = row{records: 1}
		ok, wrong := parse(line, &r)
		if ok && wrong == nil {
			if wrong = in.addSoon(r); wrong != nil {
				wrong.Column, wrong.Text = offset(line, r.key)+1, quote(r.key)
			}
		}
		if wrong != nil {
			wrong.Name, wrong.Line = src.name, number
			if wrong.Text == "" {
				wrong.Text = quote(line)
			}
		}
		if err := in.tolerate(wrong); err != nil {
			return err
		}
	}
	return lines.Err()
}

// offset returns where in line the part of it begins, which was cut from it without
// limiting its capacity.
func offset(line, part []byte) int { return min(cap(line)-cap(part), len(line)) }

// cutNumber cuts the digits at the front of line, and what follows them.
func cutNumber(line []byte) (digits, rest []byte) {
	n := 0
	for n < len(line) && line[n]-'0' <= 9 {
		n++
	}
	return line[:n], line[n:]
}
