#!/usr/bin/env bash
# Asks the real clients for their partitions and writes ../keys.csv and ../vectors/.
#
#   generate.sh [client...]      without arguments: all of them
#
# Needs package managers and compilers, installs nothing into the system and builds
# in a temporary directory. A missing tool is an error, never a client left out.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
testdata=$(dirname "$here")
repository=$(cd "$testdata/../.." && pwd)
keys=$testdata/keys.csv
counts=$here/counts.txt
vectors=$testdata/vectors

all=(java librdkafka kafkajs python go ruby redis flink spring pulsar-java)
clients=("$@")
[ $# -gt 0 ] || clients=("${all[@]}")

fail() {
	printf 'generate.sh: %s\n' "$@" >&2
	exit 1
}

missing=()
lacks() {
	[[ " ${missing[*]} " == *"$1"* ]] || missing+=("MISSING $1")
}
need() { # command, Debian package
	command -v "$1" >/dev/null || lacks "$1: install the Debian package $2"
}

command -v go >/dev/null || lacks "go: install Go as new as go.mod says"
for client in "${clients[@]}"; do
	case $client in
	java | flink | spring | pulsar-java)
		need javac default-jdk-headless
		need mvn maven
		;;
	librdkafka)
		need cc gcc
		need pkg-config pkg-config
		pkg-config --exists rdkafka 2>/dev/null || lacks "librdkafka's headers: install the Debian package librdkafka-dev"
		;;
	kafkajs) need node nodejs && need npm npm ;;
	python) python3 -c 'import ensurepip, venv' 2>/dev/null || lacks "python3 with venv: install the Debian package python3-venv" ;;
	go) ;;
	ruby) need ruby ruby ;;
	redis) need redis-server redis-server && need python3 python3 ;;
	*) fail "no client \"$client\"; there are: ${all[*]}" ;;
	esac
done
[ ${#missing[@]} -eq 0 ] || fail "${missing[@]}" "nothing was written"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# java_client DIRECTORY: fetch the libraries, compile into $work/DIRECTORY, set $classpath.
java_client() {
	local client=$1
	mkdir -p "$work/$client"
	mvn -q -B -f "$here/$client/pom.xml" dependency:build-classpath -Dmdep.outputFile="$work/$client.classpath" >&2
	classpath=$work/$client:$(cat "$work/$client.classpath")
	javac -encoding UTF-8 -cp "$classpath" -d "$work/$client" "$here"/jvm/*.java "$here/$client"/*.java
}

# ask CLIENT: print its answers.
ask() {
	case $1 in
	java)
		java_client java
		java -cp "$classpath" org.apache.kafka.clients.producer.internals.KafkaVectors "$keys" "$counts"
		java -cp "$classpath" SerializerVectors >"$work/java-serializers.json"
		mv "$work/java-serializers.json" "$vectors/java-serializers.json"
		;;
	flink)
		java_client flink
		java -cp "$classpath" FlinkVectors "$keys" "$counts"
		;;
	spring)
		java_client spring
		java -cp "$classpath" SpringVectors "$keys" "$counts"
		;;
	pulsar-java)
		java_client pulsar-java
		java -cp "$classpath" PulsarVectors "$keys" "$counts"
		;;
	librdkafka)
		# shellcheck disable=SC2046 # flags are words
		cc -O1 -Wall -Wextra -o "$work/librdkafka" "$here/librdkafka/main.c" $(pkg-config --cflags --libs rdkafka)
		"$work/librdkafka" "$keys" "$counts"
		;;
	kafkajs)
		mkdir "$work/kafkajs"
		cp "$here"/kafkajs/* "$work/kafkajs"
		(cd "$work/kafkajs" && npm install --no-package-lock --ignore-scripts --no-audit --no-fund >&2)
		node "$work/kafkajs/generate.js" "$keys" "$counts"
		;;
	python)
		python3 -m venv "$work/python"
		"$work/python/bin/pip" install -q --disable-pip-version-check -r "$here/python/requirements.txt" >&2
		"$work/python/bin/python" "$here/python/generate.py" "$keys" "$counts"
		;;
	go) (cd "$here/go" && GOWORK=off GOFLAGS=-mod=readonly go run . "$keys" "$counts") ;;
	ruby) ruby "$here/ruby/generate.rb" "$keys" "$counts" ;;
	redis) python3 "$here/redis/generate.py" "$keys" ;;
	esac
}

mkdir -p "$vectors"
cd "$repository"
go build -o "$work/pack" ./partition/testdata/clients/pack
go run ./partition/testdata/clients/keys >"$work/keys.csv"
mv "$work/keys.csv" "$keys"
for client in "${clients[@]}"; do
	# In a file first: a program that fails half way must not leave a vector file.
	ask "$client" >"$work/answers"
	"$work/pack" "$keys" "$counts" "$vectors" <"$work/answers"
done
