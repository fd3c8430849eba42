// Package metrics turns loads into figures: how unequal is the load of some
// partitions, how unequal would it be by chance, and what is to be said of it?
//
// Start with [Imbalance], the word used in every report, and with
// [Figures.Judge], which puts figures into a [Verdict] and a sentence. What
// chance alone does is told by [ExpectedCV], by [KeyCounts] (are the keys spread
// as a fair hash spreads them?), by [Weights.PlacementTest] (is the imbalance of
// these weights more than random placement gives?) and, for few keys, by
// [Occupancy]. The functions take loads and weights and know nothing of routers
// or clients, so that no strategy marks its own homework.
//
// Left out so far: lag, latency, reordering, churn and fairness.
package metrics
