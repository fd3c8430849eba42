package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/keyspread/keyspread/bench"
	"github.com/keyspread/keyspread/partition"
)

// SavedChurns are the changes of one key source and the sweep of counts within
// reach; at least one of the two is there.
type SavedChurns struct {
	Changes []*bench.Churn
	Sweep   *bench.SweepResult // nil if there is none
}

// Write renders the changes and the sweep, see [Churns].
func (s SavedChurns) Write(w io.Writer, f Format) error {
	if f == JSON {
		return errOriginal
	}
	return Churns(w, f, s.Changes, s.Sweep)
}

// loadChurns reads churns and holds them to what [Churns] takes for granted.
func loadChurns(text []byte) (Result, error) {
	var saved struct {
		Changes []*bench.Churn     `json:"changes"`
		Sweep   *bench.SweepResult `json:"sweep"`
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	if len(saved.Changes) == 0 && saved.Sweep == nil {
		return nil, errors.New("there are neither changes nor a sweep")
	}
	for i, r := range saved.Changes {
		if r == nil {
			return nil, fmt.Errorf("changes[%d] is null", i)
		}
		if err := checkChurn(r); err != nil {
			return nil, fmt.Errorf("changes[%d].%w", i, err)
		}
	}
	if saved.Sweep != nil {
		if err := checkSweep(saved.Sweep); err != nil {
			return nil, fmt.Errorf("sweep.%w", err)
		}
	}
	return SavedChurns{saved.Changes, saved.Sweep}, nil
}

// checkChurn returns what is wrong with a change, beginning with the field.
func checkChurn(r *bench.Churn) error {
	if err := errors.Join(prefix("from.", checkSide(r.From)), prefix("to.", checkSide(r.To))); err != nil {
		return err
	}
	if err := notNegative(
		amount{"keys", int64(r.Keys)}, amount{"keysMoved", int64(r.KeysMoved)}, amount{"records", r.Records}, amount{"recordsMoved", r.RecordsMoved},
		amount{"bytes", r.Bytes}, amount{"bytesMoved", r.BytesMoved}, amount{"tenants", int64(r.Tenants)}, amount{"tenantsTouched", int64(r.TenantsTouched)},
	); err != nil {
		return err
	}
	var keys, keysMoved, records, recordsMoved sum
	for i, f := range r.Flow {
		if err := prefix(fmt.Sprintf("flow[%d].", i), checkMove(r, f.From, f.To)); err != nil {
			return err
		}
		if err := notNegative(amount{"keys", int64(f.Keys)}, amount{"records", f.Records}); err != nil {
			return fmt.Errorf("flow[%d].%w", i, err)
		}
		keys.add(int64(f.Keys))
		records.add(f.Records)
		if f.From != f.To {
			keysMoved.add(int64(f.Keys))
			recordsMoved.add(f.Records)
		}
	}
	for _, total := range []struct {
		name  string
		sum   sum
		value int64
	}{
		{"keys", keys, int64(r.Keys)}, {"keysMoved", keysMoved, int64(r.KeysMoved)},
		{"records", records, r.Records}, {"recordsMoved", recordsMoved, r.RecordsMoved},
	} {
		if total.sum.overflow || total.sum.value != total.value {
			return fmt.Errorf("%s is %d, which is not what flow adds up to", total.name, total.value)
		}
	}
	for i, k := range r.TopMoved {
		err := errors.Join(checkKeyText(k.KeyText), checkMove(r, k.From, k.To), notNegative(amount{"records", k.Records}), figures(figure{"share", &k.Share}))
		if err != nil {
			return fmt.Errorf("topMoved[%d].%w", i, err)
		}
	}
	for i, u := range r.Undecided {
		if err := notNegative(amount{"keys", int64(u.Keys)}, amount{"records", u.Records}); err != nil {
			return fmt.Errorf("undecided[%d].%w", i, err)
		}
	}
	if err := checkEffects(r.Effects); err != nil {
		return fmt.Errorf("effects.%w", err)
	}
	return figures(
		figure{"keysMovedShare", r.KeysMovedShare}, figure{"expectedShare", r.ExpectedShare},
		figure{"optimumShare", &r.OptimumShare}, figure{"recordsMovedShare", r.RecordsMovedShare},
	)
}

func checkSide(s bench.Side) error {
	if s.Partitions < 1 || s.Partitions > partition.MaxPartitions {
		return fmt.Errorf("partitions is %d: want 1 to %d", s.Partitions, partition.MaxPartitions)
	}
	return nil
}

// checkMove checks that two partitions are there.
func checkMove(r *bench.Churn, from, to int) error {
	if from < 0 || from >= r.From.Partitions {
		return fmt.Errorf("from is %d of %d partitions", from, r.From.Partitions)
	}
	if to < 0 || to >= r.To.Partitions {
		return fmt.Errorf("to is %d of %d partitions", to, r.To.Partitions)
	}
	return nil
}

func checkEffects(e *bench.Effects) error {
	if e == nil {
		return nil
	}
	p := e.Parameters
	if err := notNegative(
		amount{"state.bytes", e.State.Bytes}, amount{"state.bytesMoved", e.State.BytesMoved},
		amount{"parameters.lag", p.Lag}, amount{"parameters.stateBytes", p.StateBytes},
	); err != nil {
		return err
	}
	return figures(
		figure{"order.windowSeconds", e.Order.WindowSeconds}, figure{"state.secondsMoved", e.State.SecondsMoved}, figure{"state.secondsAll", e.State.SecondsAll},
		figure{"parameters.drainRate", &p.DrainRate}, figure{"parameters.restoreRate", &p.RestoreRate},
	)
}

func checkSweep(s *bench.SweepResult) error {
	if err := prefix("from.", checkSide(s.From)); err != nil {
		return err
	}
	if err := notNegative(amount{"largest", int64(s.Largest)}, amount{"keys", int64(s.Keys)}, amount{"records", s.Records}); err != nil {
		return err
	}
	for i, r := range s.Counts {
		err := notNegative(amount{"partitions", int64(r.Partitions)}, amount{"keysMoved", int64(r.KeysMoved)}, amount{"recordsMoved", r.RecordsMoved})
		if err == nil {
			err = figures(
				figure{"expectedShare", r.ExpectedShare}, figure{"optimumShare", &r.OptimumShare},
				figure{"keysMovedShare", r.KeysMovedShare}, figure{"recordsMovedShare", r.RecordsMovedShare},
			)
		}
		if err != nil {
			return fmt.Errorf("counts[%d].%w", i, err)
		}
	}
	return nil
}

// prefix puts the path of the object before an error that begins with a field.
func prefix(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s%w", path, err)
}

func (s SavedChurns) heading() string {
	var names []string
	for _, r := range s.Changes {
		names = append(names, arrow(r))
	}
	if s.Sweep != nil {
		names = append(names, fmt.Sprintf("%s to counts up to %s", sideName(s.Sweep.From), Count(int64(s.Sweep.Largest))))
	}
	title := commas(names)
	if input := s.input(); input != "" {
		title = input + ", " + title
	}
	return "Change: " + title
}

func (s SavedChurns) input() string {
	if len(s.Changes) > 0 {
		return s.Changes[0].Input
	}
	return s.Sweep.Input
}

func (s SavedChurns) facts() []string {
	if len(s.Changes) == 0 {
		return []string{s.Sweep.Basis}
	}
	var facts []string
	if e := s.Changes[0].Effects; e != nil {
		p := e.Parameters
		if p.Lag > 0 {
			facts = append(facts, fmt.Sprintf("lag %s, %s records a second", plural(p.Lag, "record"), decimalRate(p.DrainRate)))
		}
		if p.StateBytes > 0 {
			facts = append(facts, fmt.Sprintf("state %s", Bytes(p.StateBytes)))
		}
	}
	return append(facts, s.Changes[0].Basis)
}

func (s SavedChurns) summary() []string {
	var list []string
	input := s.input()
	if input != "" {
		input += ", "
	}
	for _, r := range s.Changes {
		said := input + fmt.Sprintf("%s: %s of the keys and %s of the records move", arrow(r), Percent(value(r.KeysMovedShare)), Percent(value(r.RecordsMovedShare)))
		if r.ExpectedShare != nil {
			said += fmt.Sprintf(" (keys: expected %s, least possible %s)", Percent(*r.ExpectedShare), Percent(r.OptimumShare))
		}
		if e := r.Effects; e != nil && e.Order.WindowSeconds != nil && r.KeysMoved > 0 {
			said += ", their order is at risk for " + Seconds(*e.Order.WindowSeconds)
		}
		list = append(list, said)
	}
	if s.Sweep != nil && len(s.Sweep.Counts) > 0 {
		least := s.Sweep.Counts[0]
		list = append(list, input+fmt.Sprintf("of the counts up to %s that %s can grow to, %s moves least: %s of the keys",
			Count(int64(s.Sweep.Largest)), sideName(s.Sweep.From), Count(int64(least.Partitions)), Percent(value(least.KeysMovedShare))))
	}
	return list
}
