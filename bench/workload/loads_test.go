package workload

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const groupsOutput = `
Consumer group 'billing' has no active members.

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
billing         orders          1          -               20              -               c-1             /10.0.0.1       app
billing         orders          0          1000            1250            250             c-1             /10.0.0.1       app
billing         -               -          -               -               -               c-2             /10.0.0.2       app

GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
audit orders 0 7 1 1250 1249 - - -
`

const topicsOutput = "Topic: orders\tTopicId: x\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: a=b\n" +
	"\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n" +
	"\tTopic: orders\tPartition: 1\tLeader: none\tReplicas: 2,1\tIsr: 2\n"

const logDirsOutput = "Querying brokers for log directories information\nReceived log directory information from brokers 1,2\n" +
	`{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/data","error":null,"partitions":[` +
	`{"partition":"orders-0","size":1000,"offsetLag":0,"isFuture":false},{"partition":"my-topic-1","size":5,"offsetLag":0,"isFuture":false}]}]},` +
	`{"logDirs":[{"partitions":[{"size":900,"partition":"orders-0"},{"size":9000,"partition":"orders-0","isFuture":true}],"logDir":"partitions"}],"broker":2}]}` + "\n"

const prometheusOutput = `# HELP kafka_topic_partition_current_offset Current Offset of a Broker at Topic/Partition
# TYPE kafka_topic_partition_current_offset gauge
kafka_topic_partition_current_offset{topic="orders",partition="3"} 1250
kafka_topic_partition_current_offset{partition="0",topic="orders",} 1.25e+03 1767225600000
kafka_topic_partition_oldest_offset{topic="orders",partition="0"} 1000
kafka_log_log_size{topic="orders",partition="0",} 4.096E3
kafka_log_log_size{topic="orders",partition="0",broker="2"} 4000
kafka_consumergroup_lag{consumergroup="billing",topic="orders",partition="3"} 250
klag_consumer_lag{consumer_group="audit",topic="orders",partition="3"} -1
kminion_kafka_topic_partition_high_water_mark{topic_name="p\"q\\",partition_id="0"} 7
kminion_kafka_topic_high_water_mark_sum{topic_name="orders"} 7
go_goroutines 12
up{} NaN
`

// writeLoads writes loads out for comparison.
func writeLoads(all []PartitionLoads) []string {
	var lines []string
	for _, p := range all {
		line := fmt.Sprintf("%s/%s", p.Topic, p.Group)
		for _, l := range p.Partitions {
			line += fmt.Sprintf(" %d:", l.Partition)
			for _, q := range []struct {
				has bool
				n   int64
			}{{p.HasRecords, l.Records}, {p.HasBytes, l.Bytes}, {p.HasLag, l.Lag}} {
				if q.has {
					line += fmt.Sprint(q.n)
				}
				line += ","
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func TestReadLoads(t *testing.T) {
	for _, test := range []struct {
		what     string
		format   Format
		detected Format
		input    string
		want     []string // records, bytes and lag of each partition
		warnings []string
	}{
		{"get-offsets, one line", GetOffsets, Keys, "orders:2:21\n", []string{"orders/ 2:21,,,"}, []string{`x: of topic "orders" the last partition is 2, and 2 before it are not there`}},
		{"get-offsets", GetOffsets, GetOffsets, "a.b:0:5\norders:0:21\norders:1:0\n", []string{"a.b/ 0:5,,,", "orders/ 0:21,,, 1:0,,,"}, nil},
		{"get-offsets, unknown", GetOffsets, Keys, "orders:0:21\r\norders:1:\r\n", []string{"orders/ 0:21,,, 1:0,,,"}, []string{`x: partitions of topic "orders" without a known end offset, which counts as 0: 1`}},
		{"redis keys", GetOffsets, Keys, "100:0:48069\n", []string{"100/ 0:48069,,,"}, nil},
		{"consumer-groups", ConsumerGroups, ConsumerGroups, groupsOutput, []string{"orders/audit 0:1250,,1249,", "orders/billing 0:1250,,250, 1:20,,0,"}, []string{`x: partitions of topic "orders" without a known lag, which counts as 0: 1`}},
		{"topics-describe", TopicsDescribe, TopicsDescribe, topicsOutput, []string{"orders/ 0:,,, 1:,,,"}, nil},
		{"topics-describe, one line", TopicsDescribe, TopicsDescribe, "Topic: orders Partition: 0 Leader: 1 Replicas: 1,2 Isr: 1,2\n", []string{"orders/ 0:,,,"}, nil},
		{"topics-describe, old", TopicsDescribe, TopicsDescribe, "Topic:orders\tPartitionCount:1\tReplicationFactor:1\tConfigs:\n\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n", []string{"orders/ 0:,,,"}, nil},
		{"log-dirs", LogDirs, LogDirs, logDirsOutput, []string{"my-topic/ 1:,5,,", "orders/ 0:,1000,,"}, []string{`x: of topic "my-topic" the last partition is 1, and 1 before it are not there`}},
		{"log-dirs, the JSON alone", LogDirs, LogDirs, logDirsOutput[strings.Index(logDirsOutput, "{"):], []string{"my-topic/ 1:,5,,", "orders/ 0:,1000,,"}, []string{`x: of topic "my-topic" the last partition is 1, and 1 before it are not there`}},
		{"prometheus", Prometheus, Prometheus, prometheusOutput, []string{`orders/ 0:250,4096,, 3:1250,0,,`, "orders/billing 3:,,250,", `p"q\/ 0:7,,,`}, []string{
			`x: of topic "orders" the last partition is 3, and 2 before it are not there`,
			`x: partitions of topic "orders" without a known size, which counts as 0: 1`,
			`x: of topic "orders" the last partition is 3, and 3 before it are not there`,
		}},
	} {
		t.Run(test.what, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(test.input),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.input)),
			} {
				loads, sum, err := ReadLoads(r, "x", Options{Format: test.format})
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				got := writeLoads(loads)
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				if diff := cmp.Diff(test.warnings, sum.Warnings); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				if sum.Format != test.format || sum.Rows == 0 || sum.Layout == "" {
					t.Errorf("%s: summary %+v", how, sum)
				}
			}
			_, sum, err := Read(strings.NewReader(test.input), "x", Options{})
			if sum.Format != test.detected {
				t.Errorf("detected %s, want %s", sum.Format, test.detected)
			}
			if (err == nil) != (test.detected == Keys) || err != nil && !strings.Contains(err.Error(), "no keys in x; it has ") {
				t.Errorf("reading keys: error %v", err)
			}
		})
	}
}

func TestReadLoadsErrors(t *testing.T) {
	deep := `{"brokers":1,"a":` + strings.Repeat("[", 100)
	for _, test := range []struct {
		what    string
		options Options
		input   string
		want    string
	}{
		{"keys", Options{}, "a\n", `no loads of partitions in x; it has bare keys, one a line; if it does not, name the format with --input-format`},
		{"get-offsets, twice", Options{Format: GetOffsets}, "a:0:1\na:0:1\n", `x:2:1: "a:0:1": this partition is there twice; give the output of one call, or skip bad lines with --skip-bad`},
		{"get-offsets, fields", Options{Format: GetOffsets}, "a:0:1:2\n", `x:1:1: "a:0:1:2": want topic:partition:offset; if these are keys, say --input-format keys; otherwise skip bad lines with --skip-bad`},
		{"get-offsets, partition", Options{Format: GetOffsets}, "a:x:1\n", `x:1:3: partition "x": not a partition; want a whole number from 0, or skip bad lines with --skip-bad`},
		{"get-offsets, offset", Options{Format: GetOffsets}, "a:0:-1\n", `x:1:5: offset "-1": negative, so not a number of records; skip bad lines with --skip-bad`},
		{"consumer-groups, no header", Options{Format: ConsumerGroups}, "billing orders 3 1000 1250 250 c-1 /10.0.0.1 app\n", `x:1: header "billing orders 3 1000 1250 250 c-1 /10.0.0.1 app": there is no header with TOPIC, PARTITION and LAG above; give the whole output of kafka-consumer-groups --describe --group …`},
		{"consumer-groups, spaces", Options{}, "GROUP TOPIC PARTITION LAG\na b c 1 2\n", `x:2: partition "c": not a partition; a name with spaces moves the columns; skip bad lines with --skip-bad`},
		{"consumer-groups, columns", Options{}, "GROUP TOPIC PARTITION LAG\na b 1\n", `x:2: "a b 1": 3 columns, too few for the header above; skip bad lines with --skip-bad`},
		{"consumer-groups, lag", Options{}, "GROUP TOPIC PARTITION LAG\na b 1 x\n", `x:2: lag "x": not a whole number of records; write digits only, or skip bad lines with --skip-bad`},
		{"topics-describe", Options{Format: TopicsDescribe}, "Topic: a Leader: 1\n", `x:1: "Topic: a Leader: 1": does not name a partition; give the output of kafka-topics --describe, or skip bad lines with --skip-bad`},
		{"log-dirs, cut off", Options{Format: LogDirs}, logDirsOutput[:300], `x:3:161: the JSON ends in the middle of a value; was the input cut off?`},
		{"log-dirs, name", Options{Format: LogDirs}, `{"partitions":[{"partition":"7"}]}`, `x:1: partition "7": not the name of a topic and a partition; skip bad lines with --skip-bad`},
		{"log-dirs, nested", Options{Format: LogDirs}, deep, `x:1:50: nested too deep; give the output of kafka-log-dirs --describe as it is`},
		{"log-dirs, nothing", Options{Format: LogDirs}, "Querying\n", `no partitions in x; the input is empty`},
		{"prometheus", Options{Format: Prometheus}, "a{b=\"c} 1\n", `x:1:5: "\"c} 1": the quote that opens here is never closed; skip bad lines with --skip-bad`},
		{"prometheus, value", Options{Format: Prometheus}, "a{b=\"c\"} x\n", `x:1:9: " x": not a number; skip bad lines with --skip-bad`},
		{"prometheus, others", Options{Format: Prometheus}, "a 1\n", `no partitions in x; the input is empty`},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, _, err := ReadLoads(strings.NewReader(test.input), "x", test.options)
			var e *ReadError
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a ReadError", err)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	endless := io.MultiReader(strings.NewReader(`{"partitions":[{"partition":"`), neverEnding('x'))
	if _, _, err := ReadLoads(endless, "x", Options{Format: LogDirs}); err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
		t.Errorf("endless string: %.200v", err)
	}
}

func TestReadEither(t *testing.T) {
	keys, loads, _, err := ReadEither(strings.NewReader("a\n"), "-", Options{})
	if keys == nil || loads != nil || err != nil {
		t.Errorf("keys: %v, %v, %v", keys, loads, err)
	}
	keys, loads, _, err = ReadEither(strings.NewReader(groupsOutput), "-", Options{})
	if keys != nil || len(loads) != 2 || err != nil {
		t.Errorf("loads: %v, %v, %v", keys, loads, err)
	}
}
