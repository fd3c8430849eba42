// Package metrics turns loads into figures: how unequal is the load of some
// partitions, and how unequal would it be by chance?
//
// Start with [Imbalance] (the word used in every report) and [CV] beside
// [ExpectedCV]. The functions take loads and weights and know nothing of keys,
// routers or clients, so that no strategy marks its own homework.
//
// Left out so far: lag, latency, reordering, churn and fairness.
package metrics
