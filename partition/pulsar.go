package partition

// pulsarGoHash returns what the Pulsar Go client computes for its
// JavaStringHash: 31·h + byte over the UTF-8 bytes, where Java takes UTF-16
// code units, so that text outside ASCII differs.
//
// Source: pulsar-client-go, pulsar/internal/hash.go.
func pulsarGoHash(key []byte) uint32 {
	var h uint32
	for _, b := range key {
		h = 31*h + uint32(b)
	}
	return h
}
