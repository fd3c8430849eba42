package figures

import "image/color"

// A ramp is a scale of colours from little to much, each darker than the one
// before.
type ramp []color.NRGBA

// The middles of ColorBrewer's Blues and Oranges, whose steps look equal and
// which people with colour-blindness can tell apart and rank
// (https://colorbrewer2.org). The lightest still differs from white, the darkest
// from ink.
var (
	blues = ramp{
		{0xc6, 0xdb, 0xef, 0xff}, {0x9e, 0xca, 0xe1, 0xff}, {0x6b, 0xae, 0xd6, 0xff},
		{0x42, 0x92, 0xc6, 0xff}, {0x21, 0x71, 0xb5, 0xff}, {0x08, 0x51, 0x9c, 0xff},
	}
	oranges = ramp{
		{0xfd, 0xd0, 0xa2, 0xff}, {0xfd, 0xae, 0x6b, 0xff}, {0xfd, 0x8d, 0x3c, 0xff},
		{0xf1, 0x69, 0x13, 0xff}, {0xd9, 0x48, 0x01, 0xff}, {0xa6, 0x36, 0x03, 0xff},
	}
)

// at returns the colour for x from 0 to 1.
func (r ramp) at(x float64) color.NRGBA {
	x = min(max(x, 0), 1) * float64(len(r)-1)
	i := min(int(x), len(r)-2)
	part := x - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + part*(float64(b)-float64(a)) + 0.5) }
	a, b := r[i], r[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// lightness returns how light a colour looks, from 0 to 1: the weights of Rec.
// 709, without its linearisation.
func lightness(c color.NRGBA) float64 {
	return (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255
}
