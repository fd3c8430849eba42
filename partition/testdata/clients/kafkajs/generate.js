// Asks the default partitioners of KafkaJS 2 and KafkaJS 1.
'use strict'
const fs = require('fs')

const REPEATS = 24
const [keysFile, countsFile] = process.argv.slice(2)
const lines = file => fs.readFileSync(file, 'utf8').trimEnd().split('\n')
const keys = lines(keysFile).slice(1).map(line => line.slice(0, line.indexOf(',')))
const counts = lines(countsFile).map(Number)

const metadata = counts.map(n => Array.from({ length: n }, (_, i) => ({ partitionId: i, leader: 0 })))
const clients = [
  { preset: 'kafkajs', name: 'kafkajs', algorithm: 'murmur2, mask' },
  { preset: 'kafkajs-legacy', name: 'kafkajs-1', algorithm: 'kafkajs-float, mask' },
]

for (const { preset, name, algorithm } of clients) {
  const partition = require(name).Partitioners.DefaultPartitioner()
  // Not part of the public interface, but the very function that the default uses.
  const murmur2 = require(`${name}/src/producer/partitioners/default/murmur2`)
  const out = [['client', preset, 'kafkajs', require(`${name}/package.json`).version, algorithm]]
  for (const hex of ['null', ...keys]) {
    const key = hex === 'null' ? null : Buffer.from(hex, 'hex')
    for (let call = 0; call < REPEATS; call++) {
      // One topic per count: the round robin of keyless messages counts per topic.
      const answers = metadata.map((partitionMetadata, i) =>
        partition({ topic: `topic-${i}`, partitionMetadata, message: { key, value: '' } })
      )
      out.push(['row', preset, hex, key ? murmur2(key) : '', answers.join(' ')])
    }
  }
  fs.writeSync(1, out.map(fields => fields.join('\t') + '\n').join(''))
}
