/* Asks each partitioner that librdkafka exports, without a broker. */
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 24
#define MAX_KEY 4096

typedef int32_t partitioner(const rd_kafka_topic_t *, const void *, size_t, int32_t, void *, void *);

static const struct {
	const char *preset, *algorithm;
	partitioner *partition;
} presets[] = {
	{"librdkafka", "crc32, unsigned", rd_kafka_msg_partitioner_consistent_random},
	{"librdkafka-consistent", "crc32, unsigned", rd_kafka_msg_partitioner_consistent},
	{"librdkafka-murmur2", "murmur2, mask", rd_kafka_msg_partitioner_murmur2},
	{"librdkafka-murmur2-random", "murmur2, mask", rd_kafka_msg_partitioner_murmur2_random},
	{"librdkafka-fnv1a", "fnv1a, abs-before", rd_kafka_msg_partitioner_fnv1a},
	{"librdkafka-fnv1a-random", "fnv1a, abs-before", rd_kafka_msg_partitioner_fnv1a_random},
};

static int counts[64], ncounts;

static void die(const char *what) {
	fprintf(stderr, "librdkafka: %s\n", what);
	exit(1);
}

static FILE *open_file(const char *name) {
	FILE *f = fopen(name, "r");
	if (!f)
		die(name);
	return f;
}

/* key is NULL for the null key; an empty key has an address and no length. */
static void ask(const rd_kafka_topic_t *topic, const char *hex, const void *key, size_t len) {
	for (size_t p = 0; p < sizeof presets / sizeof *presets; p++)
		for (int call = 0; call < REPEATS; call++) {
			printf("row\t%s\t%s\t\t", presets[p].preset, hex);
			for (int i = 0; i < ncounts; i++)
				printf("%s%d", i ? " " : "", presets[p].partition(topic, key, len, counts[i], NULL, NULL));
			putchar('\n');
		}
}

int main(int argc, char **argv) {
	char error[512], line[2 * MAX_KEY + 512];
	unsigned char key[MAX_KEY];

	if (argc != 3)
		die("usage: main KEYS COUNTS");
	FILE *f = open_file(argv[2]);
	while (ncounts < 64 && fscanf(f, "%d", &counts[ncounts]) == 1)
		ncounts++;
	fclose(f);

	/* Without a broker to connect to it would warn about that. */
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	if (rd_kafka_conf_set(conf, "log_level", "3", error, sizeof error) != RD_KAFKA_CONF_OK)
		die(error);
	rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error, sizeof error);
	if (!producer)
		die(error);
	/* The random ones look up in the topic which partitions are available. */
	rd_kafka_topic_t *topic = rd_kafka_topic_new(producer, "topic", NULL);
	if (!topic)
		die("no topic handle");

	for (size_t p = 0; p < sizeof presets / sizeof *presets; p++)
		printf("client\t%s\tlibrdkafka\t%s\t%s\n", presets[p].preset, rd_kafka_version_str(), presets[p].algorithm);
	ask(topic, "null", NULL, 0);
	f = open_file(argv[1]);
	if (!fgets(line, sizeof line, f)) /* header */
		die("empty key list");
	while (fgets(line, sizeof line, f)) {
		char *comma = strchr(line, ',');
		if (!comma || comma - line > 2 * MAX_KEY)
			die("bad line in key list");
		*comma = 0;
		size_t len = strlen(line) / 2;
		for (size_t i = 0; i < len; i++)
			if (sscanf(line + 2 * i, "%2hhx", &key[i]) != 1)
				die("bad hex in key list");
		ask(topic, line, key, len);
	}
	fclose(f);
	rd_kafka_topic_destroy(topic);
	rd_kafka_destroy(producer);
	return 0;
}
