package bench

import (
	"fmt"
	"math"
)

// Effects are what a change does to running systems, as far as arithmetic can
// say. They are modelled.
type Effects struct {
	Order         OrderRisk        `json:"order"`
	Compaction    Compaction       `json:"compaction"`
	State         StateMove        `json:"state"`
	CoPartitioned []CoPartition    `json:"coPartitioned"` // one for each topic that was named
	Parameters    EffectParameters `json:"parameters"`
}

// EffectParameters are what an operator knows and the keys do not say; 0 is
// unknown.
type EffectParameters struct {
	Lag                int64   `json:"lag"`                // records waiting on the fullest old partition at the change
	DrainRate          float64 `json:"drainRate"`          // records/s that the consumer of one partition handles
	StateBytes         int64   `json:"stateBytes"`         // all state that is kept by key
	RestoreRate        float64 `json:"restoreRate"`        // bytes/s at which state is rebuilt; 0 takes DefaultRestoreRate
	RestoreRateAssumed bool    `json:"restoreRateAssumed"` // set where the default was taken
	CoPartitioned      []int   `json:"coPartitioned"`      // partition counts of other topics that are joined by key
}

// DefaultRestoreRate is the rate in bytes/s at which state is rebuilt unless the
// operator knows better. It is an assumption.
const DefaultRestoreRate = 50e6

// An OrderRisk says for how many keys and how long order is at risk: a moved
// key's new records may overtake those that wait on its old partition until the
// last of these is handled.
//
//	windowSeconds = lag / drainRate
//
// A partition is first in, first out, so what arrives after the change does not
// lengthen the wait: the rate is that of handling, not of catching up.
type OrderRisk struct {
	Keys          int      `json:"keys"`
	WindowSeconds *float64 `json:"windowSeconds"` // null unless lag and rate are given
	Formula       string   `json:"formula"`
}

// A Compaction says what becomes of a compacted topic: the latest value or
// tombstone of a moved key stays on the old partition, and since compaction never
// compares two partitions it stays until the key is deleted there by hand.
type Compaction struct {
	KeysLeftBehind int `json:"keysLeftBehind"`
	// OffsetAsVersion judges a consumer that takes the offset for a version: fail
	// if a key moves, since its offsets start again lower and its updates and
	// deletes are dropped as old; else pass.
	OffsetAsVersion string `json:"offsetAsVersion"`
}

// A StateMove says how much keyed state is on the wrong task after a change.
//
//	bytesMoved   = stateBytes · keysMoved / keys   taking keys to have equal state
//	             = bytes of moved keys' records    if stateBytes is unknown
//	secondsMoved = bytesMoved / restoreRate
//	secondsAll   = bytes / restoreRate
//
// Kafka Streams rebuilds all of it when the count changes: its internal topics
// keep the old count, and it does not start until the application is reset ("has
// invalid partitions: expected: …; actual: …. Use 'kafka.tools.StreamsResetter'",
// streams/…/internals/InternalTopicManager.java).
type StateMove struct {
	Bytes        int64    `json:"bytes"`
	BytesMoved   int64    `json:"bytesMoved"`
	Of           string   `json:"of"`           // state, records, or unknown: what the bytes are
	SecondsMoved *float64 `json:"secondsMoved"` // null if bytes are unknown
	SecondsAll   *float64 `json:"secondsAll"`
	Formula      string   `json:"formula"`
}

// A CoPartition says whether another topic, written with the old mapping, can be
// joined by key before and after the change.
type CoPartition struct {
	Partitions int    `json:"partitions"`
	Before     bool   `json:"before"`
	After      bool   `json:"after"`
	Reason     string `json:"reason"` // why not after the change, empty if it can
}

// effects works out what a churn does to running systems.
func effects(r *Churn, p EffectParameters) *Effects {
	if p.RestoreRate == 0 {
		p.RestoreRate, p.RestoreRateAssumed = DefaultRestoreRate, true
	}
	e := &Effects{
		Order:         OrderRisk{Keys: r.KeysMoved, Formula: "lag / drainRate"},
		Compaction:    Compaction{KeysLeftBehind: r.KeysMoved, OffsetAsVersion: "pass"},
		State:         stateMove(r, p),
		CoPartitioned: []CoPartition{},
	}
	if p.Lag > 0 && p.DrainRate > 0 {
		e.Order.WindowSeconds = finite(float64(p.Lag) / p.DrainRate)
	}
	if r.KeysMoved > 0 {
		e.Compaction.OffsetAsVersion = "fail"
	}
	for _, n := range p.CoPartitioned {
		e.CoPartitioned = append(e.CoPartitioned, coPartition(r, n))
	}
	if p.CoPartitioned == nil {
		p.CoPartitioned = []int{}
	}
	e.Parameters = p
	return e
}

func stateMove(r *Churn, p EffectParameters) StateMove {
	s := StateMove{Of: "unknown", Formula: "bytesMoved / restoreRate"}
	switch {
	case p.StateBytes > 0 && r.KeysMovedShare != nil:
		s.Of, s.Bytes = "state", p.StateBytes
		s.BytesMoved = int64(math.Round(float64(p.StateBytes) * *r.KeysMovedShare))
		s.Formula = "stateBytes · keysMoved / keys / restoreRate"
	case r.Bytes > 0:
		s.Of, s.Bytes, s.BytesMoved = "records", r.Bytes, r.BytesMoved
	default:
		return s
	}
	s.SecondsMoved = finite(float64(s.BytesMoved) / p.RestoreRate)
	s.SecondsAll = finite(float64(s.Bytes) / p.RestoreRate)
	return s
}

// coPartition compares a topic of n partitions that is written with the old
// mapping: joins need the same count and the same place for every key.
func coPartition(r *Churn, n int) CoPartition {
	c := CoPartition{Partitions: n, Before: n == r.From.Partitions, After: n == r.To.Partitions && r.SameMapping}
	switch {
	case c.After:
	case n != r.To.Partitions:
		c.Reason = fmt.Sprintf("%d against %d partitions", n, r.To.Partitions)
	default:
		c.Reason = "the counts match, but keys are placed differently"
	}
	return c
}
