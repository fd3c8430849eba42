# ruby-kafka hashes with Zlib.crc32 of Ruby's standard library and takes the remainder of
# the unsigned result. Its package registry is not among those this project uses, so
# this asks the same function and takes the remainder itself. It says nothing about
# the null key: that choice is ruby-kafka's own code.
require "zlib"

REPEATS = 24
keys_file, counts_file = ARGV
keys = File.readlines(keys_file, chomp: true, encoding: "UTF-8").drop(1).map { |line| line[/\A[^,]*/] }
counts = File.readlines(counts_file, chomp: true).map(&:to_i)

puts ["client", "ruby-kafka", "zlib of Ruby", RUBY_VERSION, "crc32, unsigned"].join("\t")
keys.each do |hex|
  crc = Zlib.crc32([hex].pack("H*"))
  signed = [crc].pack("L").unpack1("l")
  REPEATS.times { puts ["row", "ruby-kafka", hex, signed, counts.map { |n| crc % n }.join(" ")].join("\t") }
end
