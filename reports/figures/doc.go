// Package figures answers what a result looks like: bars of load per partition
// with the fair share drawn through them, imbalance against partition count, and
// heat maps of what goes from which partition to which, for a design review,
// slides or a README.
//
// Fill a [LoadBars] and call [LoadBars.Save], or [LoadBars.Write] for one
// format:
//
//	figure := figures.LoadBars{
//		Title: "flights by route over 12 partitions",
//		Load:  records, Fair: mean,
//		TopKey: "LAS-LAX", TopPartition: 7, TopLoad: 12345,
//	}
//	files, err := figure.Save("out", "flights")
//
// [Curves] and [HeatMap] work alike. A figure is a pure function of its fields: the same
// input gives the same bytes.
// Names are other people's data and are escaped. Colours are Okabe and Ito's
// (https://jfly.uni-koeln.de/color/) and ColorBrewer's (https://colorbrewer2.org),
// which people with colour-blindness can tell apart.
//
// Left out: computing anything but shares and ratios of what is given.
package figures
