/*
 * The formulas of dev.besom.math and of Calculator, function by function under the same names. They take and give plain
 * numbers and touch nothing else, so that they can be run outside a browser as well.
 */
var Besom = (function () {
  'use strict';

  // ---- Entropy

  function entropyBitsPerKey(fpp) {
    return -Math.log(fpp) / Math.log(2);
  }

  // ---- BloomMath

  var MAX_PROBES = 64;
  var SPACE_FOR_PROBES = 1.01;

  function bloomBitsPerKey(fpp, probes) {
    return -probes / Math.log1p(-Math.pow(fpp, 1 / probes));
  }

  function probesForLeastSpace(fpp) {
    var around = Math.min(MAX_PROBES, Math.round(entropyBitsPerKey(fpp)));
    var best = 1;
    for (var probes = Math.max(1, around - 1); probes <= Math.min(MAX_PROBES, around + 1); probes++) {
      if (bloomBitsPerKey(fpp, probes) < bloomBitsPerKey(fpp, best)) {
        best = probes;
      }
    }
    return best;
  }

  function fewProbes(fpp) {
    var most = bloomBitsPerKey(fpp, probesForLeastSpace(fpp)) * SPACE_FOR_PROBES;
    var probes = 1;
    while (bloomBitsPerKey(fpp, probes) > most) {
      probes++;
    }
    return probes;
  }

  function bloomBits(keys, fpp, probes) {
    return Math.max(1, Math.ceil(keys * bloomBitsPerKey(fpp, probes)));
  }

  // ---- LinedBloomMath

  var BLOCK_WORDS = 8;
  var WORD_BITS = 64;
  var BLOCK_BITS = BLOCK_WORDS * WORD_BITS;
  var GROUP = 3;
  var HALVINGS = 64;
  var MOST_BITS_PER_KEY = Math.pow(2, 40);

  function linedBitsPerKey(fpp, probes) {
    var high = bloomBitsPerKey(fpp, probes);
    var low = high / 2;
    while (linedFpp(high, probes) > fpp && high < MOST_BITS_PER_KEY) {
      high *= 2;
    }
    for (var i = 0; i < HALVINGS; i++) {
      var middle = (low + high) / 2;
      if (linedFpp(middle, probes) > fpp) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  function linedBits(keys, fpp, probes) {
    return Math.max(1, Math.ceil(keys * linedBitsPerKey(fpp, probes) / BLOCK_BITS)) * BLOCK_BITS;
  }

  function linedFpp(bitsPerKey, probes) {
    var groups = { keysPerWord: WORD_BITS / bitsPerKey, full: Math.floor(probes / GROUP), rest: probes % GROUP };
    return Math.pow(threeSet(groups), groups.full) * restSet(groups);
  }

  function touched(groups, own, other) {
    var ownMissed = (1 - own / WORD_BITS) * (1 - own / WORD_BITS);
    var otherMissed = (1 - other / WORD_BITS) * (1 - other / WORD_BITS);
    var both = own + other;
    var byGroup = 2 - (ownMissed + otherMissed) * (1 - both / BLOCK_BITS) + (BLOCK_WORDS - 2) * both / BLOCK_BITS;
    var byRest = groups.rest === 0 ? 0 : groups.rest === 1 ? both / WORD_BITS : 2 - ownMissed - otherMissed;
    return groups.full * byGroup + byRest;
  }

  function allSet(groups, own, other) {
    var sum = 0;
    var ways = 1;
    for (var i = 0; i <= own; i++) {
      var sign = i % 2 === 0 ? 1 : -1;
      for (var j = 0; j <= other; j++) {
        sum += (j === 0 ? sign : -sign) * ways * Math.exp(-groups.keysPerWord * touched(groups, i, j));
      }
      ways = ways * (own - i) / (i + 1);
    }
    return Math.max(sum, Math.pow(-Math.expm1(-groups.keysPerWord * touched(groups, 1, 0)), own + other));
  }

  function threeSet(groups) {
    var same = 1 / WORD_BITS;
    var inTwoWords = (1 - same) * allSet(groups, 2, 1) + same * allSet(groups, 1, 1);
    var inOneWord = (1 - same) * (1 - 2 * same) * allSet(groups, 3, 0)
      + 3 * same * (1 - same) * allSet(groups, 2, 0)
      + same * same * allSet(groups, 1, 0);
    return inTwoWords + (inOneWord - inTwoWords) / BLOCK_WORDS;
  }

  function restSet(groups) {
    var same = 1 / WORD_BITS;
    switch (groups.rest) {
      case 0: return 1;
      case 1: return allSet(groups, 1, 0);
      default: return (1 - same) * allSet(groups, 2, 0) + same * allSet(groups, 1, 0);
    }
  }

  // ---- BlockedBloomMath

  var LEAST_BITS_PER_KEY = 1;
  var MAX_BITS_PER_KEY = 512;
  var MAX_BITS_PER_GROUP = 6;
  var SPACE_FOR_GROUPS = 1.04;
  var TOLERANCE = 1e-4;
  // By the bits of a group: pairs of the chance that a key misses some of a query's bits, and of its weight; counted by Java in
  // the masks of the filters.
  var coverTerms = [];

  function blockedFpp(keysPerBlock, groups, bitsPerGroup) {
    var most = Math.ceil(keysPerBlock + 9 * Math.sqrt(keysPerBlock) + 16);
    var share = groups / BLOCK_WORDS;
    var terms = coverTerms[bitsPerGroup - 1];
    var weight = [];
    var kept = [];
    for (var term = 0; 2 * term < terms.length; term++) {
      kept[term] = 1 - share + share * terms[2 * term];
      weight[term] = terms[2 * term + 1];
    }
    var poisson = Math.exp(-keysPerBlock);
    var rate = 0;
    for (var keys = 1; keys <= most; keys++) {
      poisson *= keysPerBlock / keys;
      var inOneGroup = 0;
      for (var i = 0; i < kept.length; i++) {
        weight[i] *= kept[i];
        inOneGroup += weight[i];
      }
      rate += poisson * Math.pow(Math.max(0, inOneGroup), groups);
    }
    return rate;
  }

  function excess(bitsPerKey, fpp, groups, bitsPerGroup) {
    return Math.log(blockedFpp(BLOCK_BITS / bitsPerKey, groups, bitsPerGroup) / fpp);
  }

  function blockedBitsPerKey(fpp, groups, bitsPerGroup) {
    var low = Math.max(LEAST_BITS_PER_KEY, entropyBitsPerKey(fpp));
    var high = MAX_BITS_PER_KEY;
    var aboveAtLow = excess(low, fpp, groups, bitsPerGroup);
    var aboveAtHigh = excess(high, fpp, groups, bitsPerGroup);
    if (aboveAtHigh > 0) {
      return Infinity;
    }
    if (aboveAtLow <= 0) {
      return low;
    }
    while (high / low > 1 + TOLERANCE) {
      var share = aboveAtLow / (aboveAtLow - aboveAtHigh);
      var next = low * Math.pow(high / low, Math.min(0.9, Math.max(0.1, share)));
      var above = excess(next, fpp, groups, bitsPerGroup);
      if (above > 0) {
        low = next;
        aboveAtLow = above;
        aboveAtHigh /= 2;
      } else {
        high = next;
        aboveAtHigh = above;
        aboveAtLow /= 2;
      }
    }
    return high;
  }

  function smallestShape(fpp, groups) {
    var best = { groups: groups, bitsPerGroup: 1, bitsPerKey: blockedBitsPerKey(fpp, groups, 1) };
    for (var bits = 2; bits <= MAX_BITS_PER_GROUP; bits++) {
      var next = { groups: groups, bitsPerGroup: bits, bitsPerKey: blockedBitsPerKey(fpp, groups, bits) };
      if (next.bitsPerKey < best.bitsPerKey) {
        best = next;
      } else if (best.bitsPerKey < Infinity) {
        break;
      }
    }
    return best;
  }

  // A shape takes milliseconds to find and depends on the rate alone, so it is found once for each.
  var shapes = {};

  function blockedShape(fpp) {
    if (!shapes[fpp]) {
      var two = smallestShape(fpp, 2);
      var four = smallestShape(fpp, 4);
      shapes[fpp] = two.bitsPerKey > SPACE_FOR_GROUPS * four.bitsPerKey ? four : two;
    }
    return shapes[fpp];
  }

  // ---- QuotientSizing

  var SPARE_EXPONENT = 21;

  function slotsFor(capacity, load) {
    return Math.max(Math.ceil(capacity / load), capacity);
  }

  function spareSlots(slots, load) {
    return Math.min(slots, Math.ceil(SPARE_EXPONENT * load / (2 * (1 - load))));
  }

  function quotientFpp(count, slots, remainderBits) {
    return -Math.expm1(-count / slots * Math.pow(2, -remainderBits));
  }

  function remainderBitsFor(load, fpp) {
    return Math.max(1, Math.ceil(Math.log(load / -Math.log1p(-fpp)) / Math.log(2)));
  }

  // ---- ZipfMath

  var EXACT_RANKS = 1024;
  var INTERVALS = 512;

  function sumOfRanks(keys, ofRank) {
    var sum = 0;
    for (var rank = Math.floor(Math.min(keys, EXACT_RANKS)); rank >= 1; rank--) {
      sum += ofRank(rank);
    }
    return keys > EXACT_RANKS ? sum + integral(EXACT_RANKS + 0.5, keys + 0.5, ofRank) : sum;
  }

  function integral(from, to, ofRank) {
    var start = Math.log(from);
    var step = (Math.log(to) - start) / INTERVALS;
    var sum = 0;
    for (var i = 0; i <= INTERVALS; i++) {
      var x = Math.exp(start + i * step);
      var weight = i === 0 || i === INTERVALS ? 1 : i % 2 === 1 ? 4 : 2;
      sum += weight * x * ofRank(x);
    }
    return (sum * step) / 3;
  }

  function distinct(keys, exponent, queries) {
    if (!(keys >= 1) || !(queries > 0)) {
      return 0;
    }
    var harmonic = sumOfRanks(keys, function (rank) {
      return Math.pow(rank, -exponent);
    });
    return Math.min(
      queries,
      sumOfRanks(keys, function (rank) {
        return -Math.expm1((-queries * Math.pow(rank, -exponent)) / harmonic);
      })
    );
  }

  // ---- Calculator

  var TABLE_LOAD = 0.95;
  var SLOTS_A_BLOCK = 64;
  var MAX_REMAINDER_BITS = 32;
  var COUNTER_BITS = 4;
  var COUNTERS_A_WORD = 16;
  var KEYS_A_REMOVAL = 10;
  var FALSE_NEGATIVE_RATE = 0.001;
  var LOWEST_LOG_RATE = -40;
  var SEARCH_STEPS = 30;
  var IMPOSSIBLE = { bits: Infinity, probes: NaN, rate: NaN };

  function bloom(keys, fpp) {
    var probes = fewProbes(fpp);
    return { bits: linedBits(keys, fpp, probes), probes: Math.ceil(probes / GROUP), rate: fpp };
  }

  function blocked(keys, fpp, terms) {
    coverTerms = terms;
    var bitsPerKey = blockedShape(fpp).bitsPerKey;
    if (bitsPerKey === Infinity) {
      return IMPOSSIBLE;
    }
    return { bits: BLOCK_BITS * Math.max(1, Math.ceil(keys * bitsPerKey / BLOCK_BITS)), probes: 1, rate: fpp };
  }

  function counting(keys, fpp) {
    var probes = fewProbes(fpp);
    var counters = bloomBits(keys, fpp, probes);
    return {
      bits: (Math.ceil(counters / COUNTERS_A_WORD) + 1) * COUNTERS_A_WORD * COUNTER_BITS,
      probes: probes,
      rate: fpp
    };
  }

  function composite(keys, fpp) {
    var removals = Math.max(1, Math.floor(keys / KEYS_A_REMOVAL));
    var added = bloom(keys + removals, fpp);
    var removed = bloom(Math.ceil(removals / (1 - FALSE_NEGATIVE_RATE)), FALSE_NEGATIVE_RATE);
    return { bits: added.bits + removed.bits, probes: added.probes + removed.probes, rate: fpp };
  }

  function scalable(first, all, fpp) {
    var bits = 0;
    var probes = 0;
    var rest = all;
    for (var layer = 0; rest > 0; layer++) {
      var capacity = first * Math.pow(2, layer);
      var rate = fpp * Math.pow(2, -layer - 1);
      var plan = bloom(Math.ceil(capacity / (1 - rate)), rate);
      bits += plan.bits;
      probes += plan.probes;
      rest -= capacity;
    }
    return { bits: bits, probes: probes, rate: fpp };
  }

  function table(keys, fpp, metadataWords) {
    var remainderBits = remainderBitsFor(TABLE_LOAD, fpp);
    if (remainderBits > MAX_REMAINDER_BITS) {
      return IMPOSSIBLE;
    }
    var slots = slotsFor(keys, TABLE_LOAD);
    var blocks = Math.ceil((slots + spareSlots(slots, TABLE_LOAD)) / SLOTS_A_BLOCK);
    var words = blocks * (metadataWords + remainderBits) + 1 + Math.ceil(blocks / 8);
    return { bits: WORD_BITS * words, probes: 1, rate: quotientFpp(keys, slots, remainderBits) };
  }

  function interpolated(samples, keys, fpp, isStepped) {
    var logRate = Math.log(fpp) / Math.log(2);
    if (samples.length > 0 && logRate > samples[0][0]) {
      return { bits: keys * samples[0][1], probes: NaN, rate: fpp };
    }
    for (var i = 1; i < samples.length; i++) {
      var right = samples[i][0];
      var left = samples[i - 1][0];
      if (logRate <= left && logRate >= right) {
        var share = isStepped ? 1 : (left - logRate) / (left - right);
        var bits = samples[i - 1][1] * (1 - share) + samples[i][1] * share;
        return { bits: keys * bits, probes: NaN, rate: fpp };
      }
    }
    return IMPOSSIBLE;
  }

  function plan(model, keys, growth, fpp) {
    var all = Math.ceil(keys * growth);
    switch (model.name) {
      case 'bloom': return bloom(all, fpp);
      case 'blocked': return blocked(all, fpp, model.samples);
      case 'counting': return counting(all, fpp);
      case 'composite': return composite(all, fpp);
      case 'scalable': return scalable(keys, all, fpp);
      case 'table': return table(all, fpp, model.metadataWords);
      case 'stepped': return interpolated(model.samples, all, fpp, true);
      default: return interpolated(model.samples, all, fpp, false);
    }
  }

  function lowestRate(model, keys, growth, mostBits) {
    var low = LOWEST_LOG_RATE;
    var high = -0.01;
    while (!(plan(model, keys, growth, Math.pow(2, high)).bits <= mostBits)) {
      high -= 0.5;
      if (high < low) {
        return NaN;
      }
    }
    for (var step = 0; step < SEARCH_STEPS; step++) {
      var middle = (low + high) / 2;
      if (plan(model, keys, growth, Math.pow(2, middle)).bits <= mostBits) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return Math.pow(2, high);
  }

  function wastedShare(rate, adaptive, keys, skew, lookups) {
    return adaptive ? rate * distinct(keys, skew, lookups) / lookups : rate;
  }

  return {
    entropyBitsPerKey: entropyBitsPerKey,
    plan: plan,
    lowestRate: lowestRate,
    distinct: distinct,
    wastedShare: wastedShare
  };
})();
