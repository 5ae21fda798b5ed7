/* Draws the plots from the page's data, and runs the calculator. */
(function () {
  'use strict';

  var data = JSON.parse(document.getElementById('data').textContent);
  var charts = [];

  // ---- Colours and marks: a name has the same two on the whole page, and no two names have both alike.

  var PALETTE = ['#3b78b5', '#e07b1f', '#3f9a57', '#c8405f', '#8561c5', '#1f9aa0', '#b98d00', '#a5673f', '#d0609f', '#6f8a1f',
    '#4d63d4', '#7a838f', '#cf5a3c'];
  var MARKS = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'crossRot', 'rectRounded'];
  var MARK_SIGNS = ['●', '■', '▲', '◆', '✱', '✖', '▣'];
  var styles = {};

  // What is drawn together, in a plot or in the calculator as it opens.
  var together = [['bloom', 'telescoping', 'quotient', 'blocked-bloom', 'telescoping-compact', 'extension', 'tinyset',
    'cuckoo-windowed', 'broom', 'ribbon', 'fuse', 'cuckoo', 'scalable-bloom']];
  data.experiments.forEach(function (experiment) {
    experiment.plots.forEach(function (plot) {
      together.push(plot.series.filter(function (series) { return series.origin !== 'theory'; })
        .map(function (series) { return series.name; }));
    });
  });

  /** How many names have each colour, of those that are drawn together with a name, or of all. */
  function uses(name) {
    var counts = PALETTE.map(function () { return 0; });
    Object.keys(styles).forEach(function (other) {
      if (!name || together.some(function (names) { return names.indexOf(name) >= 0 && names.indexOf(other) >= 0; })) {
        counts[PALETTE.indexOf(styles[other].colour)]++;
      }
    });
    return counts;
  }

  /** The first mark that no name of that colour has, beginning with another one for each colour; none if all are taken. */
  function freeMark(colour) {
    var first = PALETTE.indexOf(colour) % MARKS.length;
    return MARKS.slice(first).concat(MARKS.slice(0, first)).filter(function (mark) {
      return Object.keys(styles).every(function (other) { return styles[other].colour !== colour || styles[other].mark !== mark; });
    })[0];
  }

  /** The style of a name: a colour that nothing beside it has, as long as there is one, and the least used of all. */
  function styleOf(name) {
    if (!styles[name]) {
      var beside = uses(name);
      var everywhere = uses('');
      var colour = PALETTE.slice().sort(function (one, other) {
        var a = PALETTE.indexOf(one);
        var b = PALETTE.indexOf(other);
        return (freeMark(one) ? 0 : 1) - (freeMark(other) ? 0 : 1) || beside[a] - beside[b] || everywhere[a] - everywhere[b] || a - b;
      })[0];
      styles[name] = { colour: colour, mark: freeMark(colour) || MARKS[0] };
    }
    return styles[name];
  }

  together.forEach(function (names) { names.forEach(styleOf); });
  data.kinds.forEach(function (kind) { styleOf(kind.kind); });

  /** A computed line has the colour of what it computes, where that is drawn, and none otherwise. */
  function colourOf(series) {
    var known = styles[series.name] || styles[series.name.split(',')[0]];
    return known ? known.colour : shade('--soft');
  }

  function shade(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  // ---- Numbers as people read them

  function readable(number) {
    if (number === null || number === undefined || isNaN(number)) { return '–'; }
    if (number === 0) { return '0'; }
    var size = Math.abs(number);
    if (size >= 1e15 || size < 1e-4) { return number.toExponential(2).replace('e+', 'e'); }
    if (size >= 1000) { return Math.round(number).toLocaleString('en'); }
    return String(Number(number.toPrecision(4)));
  }

  /** A number of one digit on a logarithmic axis. */
  function power(value, first) {
    if (value >= 1e-4 && value < 1e6) { return readable(value); }
    var raised = String(Math.floor(Math.log10(value) + 1e-9)).split('').map(function (sign) {
      return sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(sign));
    }).join('');
    return (first === 1 ? '' : first + '·') + '10' + raised;
  }

  function memory(bits) {
    if (!isFinite(bits)) { return '–'; }
    var units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    var value = bits / 8;
    var unit = 0;
    // From here on three digits would be written with a power of ten.
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return (unit === 0 ? Math.round(value) : value.toPrecision(3)) + ' ' + units[unit];
  }

  function percent(rate) {
    return isFinite(rate) ? readable(100 * rate) + ' %' : '–';
  }

  // ---- Plots

  var LEGEND_LINE = 30;
  var MARKS_A_LINE = 8;
  var LABEL_HEIGHT = 15;
  var BELOW_MEASURED = 10;

  var markLines = {
    id: 'markLines',
    afterDatasetsDraw: function (chart) {
      var marks = chart.options.plugins.markLines.marks || [];
      var area = chart.chartArea;
      var context = chart.ctx;
      context.save();
      context.font = '11px system-ui, sans-serif';
      context.textBaseline = 'top';
      marks.forEach(function (mark, place) {
        var x = chart.scales.x.getPixelForValue(mark.x);
        if (!(x >= area.left && x <= area.right)) { return; }
        context.strokeStyle = shade('--soft');
        context.setLineDash([2, 3]);
        context.beginPath();
        context.moveTo(x, area.top);
        context.lineTo(x, area.bottom);
        context.stroke();
        var width = context.measureText(mark.label).width;
        var left = Math.max(area.left, Math.min(x - width / 2, area.right - width));
        // Above the axes, where no line is.
        var top = area.top - LABEL_HEIGHT * (marks.length - place);
        context.beginPath();
        context.moveTo(x, top + LABEL_HEIGHT - 3);
        context.lineTo(x, area.top);
        context.stroke();
        context.fillStyle = shade('--soft');
        context.fillText(mark.label, left, top);
      });
      context.restore();
    }
  };

  function axis(label, logarithmic, extra) {
    var options = {
      type: logarithmic ? 'logarithmic' : 'linear',
      title: { display: true, text: label, color: shade('--soft') },
      grid: { color: shade('--grid') },
      border: { color: shade('--line') },
      ticks: { color: shade('--soft'), maxRotation: 0, autoSkipPadding: 8 }
    };
    if (logarithmic) {
      options.ticks.callback = function (value) {
        var first = Number(value.toExponential(6).split('e')[0]);
        var narrow = Math.log10(this.max / this.min) < 2.5;
        return first === 1 || (narrow && (first === 2 || first === 5)) ? power(value, first) : '';
      };
    } else {
      options.ticks.callback = function (value) { return readable(Number(value.toPrecision(10))); };
    }
    return Object.assign(options, extra || {});
  }

  /** Computed lines of one plot are told apart by their dashes. */
  var DASHES = [[6, 4], [2, 3], [10, 3, 2, 3], [14, 4]];

  /** A piece of a dashed line, for legends: it begins where a mark does, left of its middle, and goes on under the text's blanks. */
  var SAMPLE_WIDTH = 30;
  var BLANKS = '        ';

  function dashSample(colour, dash) {
    var sample = document.createElement('canvas');
    sample.width = 2 * SAMPLE_WIDTH;
    sample.height = 8;
    var context = sample.getContext('2d');
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(SAMPLE_WIDTH - 4, 4);
    context.lineTo(2 * SAMPLE_WIDTH - 4, 4);
    context.stroke();
    return sample;
  }

  /** A mark that is all lines cannot be hollow. */
  function markOf(name, isHollow) {
    var mark = styles[name] ? styles[name].mark : 'circle';
    return isHollow && (mark === 'star' || mark === 'crossRot') ? 'circle' : mark;
  }

  function dataset(series, logarithmicX, logarithmicY, number) {
    var theory = series.origin === 'theory';
    var paper = series.origin === 'paper';
    var colour = colourOf(series);
    var dash = theory ? DASHES[(number || 0) % DASHES.length] : [];
    var every = Math.max(1, Math.ceil(series.points.length / MARKS_A_LINE));
    return {
      label: series.name + (theory ? ': computed' : paper ? ': the paper' : ''),
      data: series.points
        .filter(function (point) {
          return point[0] !== null && point[1] !== null && isFinite(point[1]) &&
            (!logarithmicX || point[0] > 0) && (!logarithmicY || point[1] > 0);
        })
        .map(function (point) { return { x: point[0], y: point[1] }; }),
      showLine: !paper,
      borderColor: colour,
      backgroundColor: paper ? 'transparent' : colour,
      borderWidth: theory ? 1.5 : 2,
      borderDash: dash,
      pointStyle: theory ? dashSample(colour, dash) : markOf(series.name, paper),
      pointRadius: paper ? 7 : theory ? 0 : function (context) { return context.dataIndex % every === 0 ? 4 : 0; },
      pointHitRadius: 8,
      tension: 0
    };
  }

  /** As the library makes them, with room for pieces of dashed lines. */
  function legendItems(chart) {
    return Chart.defaults.plugins.legend.labels.generateLabels(chart).map(function (item) {
      var isDashed = chart.data.datasets[item.datasetIndex].borderDash.length > 0;
      return isDashed ? Object.assign(item, { text: BLANKS + item.text }) : item;
    });
  }

  function options(x, y, marks, hasLegend) {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      layout: { padding: { top: 6 + LABEL_HEIGHT * marks.length } },
      interaction: { mode: 'nearest', intersect: false },
      scales: { x: x, y: y },
      plugins: {
        markLines: { marks: marks },
        legend: {
          display: hasLegend,
          position: 'bottom',
          labels: {
            color: shade('--ink'), usePointStyle: true, boxHeight: 7, padding: 10, font: { size: 12 }, generateLabels: legendItems
          }
        },
        tooltip: {
          callbacks: {
            label: function (item) {
              return item.dataset.label + ': ' + readable(item.parsed.y) + ' at ' + readable(item.parsed.x);
            }
          }
        }
      }
    };
  }

  function draw(canvas) {
    var experiment = data.experiments.filter(function (one) { return one.name === canvas.dataset.experiment; })[0];
    var plot = experiment.plots[Number(canvas.dataset.plot)];
    var chart = new Chart(canvas, {
      type: 'scatter',
      data: {
        datasets: plot.series.map(function (series) {
          var computed = plot.series.filter(function (one) { return one.origin === 'theory'; });
          return dataset(series, plot.x.logarithmic, plot.y.logarithmic, computed.indexOf(series));
        })
      },
      options: options(
        axis(plot.x.label, plot.x.logarithmic),
        axis(plot.y.label, plot.y.logarithmic, plot.y.logarithmic ? { min: lowest(plot) } : { beginAtZero: true }),
        plot.marks, true),
      plugins: [markLines]
    });
    charts.push(chart);
    makeRoomForLegend(chart, canvas.parentNode);
    var zeros = plot.y.logarithmic && plot.series.some(function (series) {
      return series.origin !== 'theory' && series.points.some(function (point) { return point[1] === 0; });
    });
    canvas.parentNode.nextElementSibling.hidden = !zeros;
  }

  /** Where a logarithmic axis starts: not far below what was measured, however small theory gets. */
  function lowest(plot) {
    function least(series) {
      return Math.min.apply(null, series.map(function (one) {
        return Math.min.apply(null, one.points.map(function (point) { return point[1] > 0 ? point[1] : Infinity; }));
      }));
    }
    var measured = least(plot.series.filter(function (one) { return one.origin !== 'theory'; })) / BELOW_MEASURED;
    return least(plot.series) < measured ? Math.pow(10, Math.floor(Math.log10(measured))) : undefined;
  }

  /** However many lines the legend has, the axes keep their height. */
  function makeRoomForLegend(chart, frame) {
    frame.style.height = '';
    var lines = Math.max(0, chart.legend.height - LEGEND_LINE);
    frame.style.height = (frame.clientHeight + lines) + 'px';
    chart.resize();
  }

  // ---- Calculator

  var MISSING_KEYS_A_KEY = 10;
  var MIB = 8 * 1024 * 1024;

  function field(id) { return document.getElementById(id); }

  function numberIn(id, name, least, most) {
    var text = field(id).value.replace(/[,_\s]/g, '');
    var value = text === '' ? NaN : Number(text);
    if (!(value >= least && value <= most)) {
      throw new Error(name + ' must be a number from ' + readable(least) + ' to ' + readable(most));
    }
    return value;
  }

  /** As the command line has it: above 0 and below 1, and no less than 64-bit hashes allow. */
  function rateIn() {
    var rate = numberIn('rate', 'the rate', 0, 100) / 100;
    if (!(rate > 0 && rate < 1)) { throw new Error('the rate must be above 0 and below 100 %'); }
    if (rate < data.limits.leastFpp) {
      throw new Error('no filter of 64-bit hashes has a rate below ' + readable(100 * data.limits.leastFpp) + ' %');
    }
    return rate;
  }

  function inputs() {
    var byMemory = field('mode').value === 'memory';
    return {
      keys: Math.round(numberIn('keys', 'keys', 1, 1e13)),
      byMemory: byMemory,
      rate: byMemory ? NaN : rateIn(),
      bits: byMemory ? numberIn('memory', 'the memory', 1e-6, 1e12) * MIB : NaN,
      growth: numberIn('growth', 'growth', 1, 1e6),
      skew: Number(field('skew').value),
      lookups: numberIn('lookups', 'lookups a key', 1e-3, 1e9),
      deletes: field('deletes').checked,
      values: field('values').checked,
      isStatic: field('static').checked,
      rank: byMemory ? 'waste' : field('rank').value,
      sound: field('sound').checked
    };
  }

  function lacks(kind, wanted) {
    var reasons = [];
    if (wanted.deletes && !kind.delete) { reasons.push('no deletes'); }
    if (wanted.growth > 1 && !kind.grow) { reasons.push('cannot grow'); }
    if (wanted.values && !kind.values) { reasons.push('no values'); }
    if (!wanted.values && kind.values) { reasons.push('for keys with values'); }
    if (kind.learned) { reasons.push('gains nothing unless it knows the distribution'); }
    if (!wanted.isStatic && kind.static) { reasons.push('only for sets that never change'); }
    if (wanted.sound && kind.falseNegatives) { reasons.push('can have false negatives'); }
    return reasons.join(', ');
  }

  function planOf(kind, wanted) {
    var asked = wanted.byMemory ? Besom.lowestRate(kind.model, wanted.keys, wanted.growth, wanted.bits) : wanted.rate;
    var plan = Besom.plan(kind.model, wanted.keys, wanted.growth, asked);
    var lookups = wanted.lookups * wanted.keys;
    var all = Math.ceil(wanted.keys * wanted.growth);
    return {
      kind: kind,
      asked: asked,
      bits: plan.bits,
      whole: plan.bits + kind.indexBits * all,
      bitsPerKey: plan.bits / all,
      probes: plan.probes,
      rate: plan.rate,
      waste: 1e6 * Besom.wastedShare(
        plan.rate, kind.adaptive, MISSING_KEYS_A_KEY * wanted.keys, wanted.skew, lookups),
      lacks: !isFinite(plan.bits) ? (wanted.byMemory ? 'does not fit' : 'no such filter')
        : plan.bits > data.limits.mostBits ? 'larger than an array: use several'
          : wanted.byMemory && plan.bits + kind.indexBits * all > wanted.bits ? 'does not fit with its index'
            : lacks(kind, wanted)
    };
  }

  /** The colour and the mark that a kind's curves have. */
  function swatch(kind) {
    var dot = document.createElement('span');
    dot.className = 'swatch';
    dot.style.color = styleOf(kind).colour;
    dot.textContent = MARK_SIGNS[MARKS.indexOf(styleOf(kind).mark)];
    dot.setAttribute('aria-hidden', 'true');
    return dot;
  }

  // The kinds that somebody has ticked; as long as there are none, the best few by either measure.
  var BEST_DRAWN = 3;
  var OTHERS_DRAWN = 2;
  var ticked = null;

  // Rows of the table before somebody asks for all: the best, and whatever is drawn.
  var BEST_SHOWN = 8;

  function measureOf(wanted) {
    return wanted.rank === 'waste' ? function (plan) { return plan.waste; } : function (plan) { return plan.whole; };
  }

  /** The fitting kinds first, slow ones after the others, as advice has it, the best first; what is equal stays in the order of kinds. */
  function ranked(plans, wanted) {
    var measure = measureOf(wanted);
    return plans.slice().sort(function (one, other) {
      return (one.lacks ? 1 : 0) - (other.lacks ? 1 : 0) || (one.kind.slow ? 1 : 0) - (other.kind.slow ? 1 : 0) || (one.lacks ? 0 : measure(one) - measure(other));
    });
  }

  function drawnOf(plans, wanted) {
    var fitting = plans.filter(function (plan) { return !plan.lacks; });
    if (ticked) { return fitting.filter(function (plan) { return ticked[plan.kind.kind]; }); }
    var best = fitting.slice(0, BEST_DRAWN);
    var other = wanted.rank === 'waste' ? 'bits' : 'waste';
    var others = ranked(fitting, { rank: other }).filter(function (plan) { return best.indexOf(plan) < 0; });
    return best.concat(others.slice(0, OTHERS_DRAWN));
  }

  function showPlans(plans, wanted) {
    var body = document.querySelector('#plans tbody');
    body.textContent = '';
    var drawn = drawnOf(plans, wanted);
    var nothingFits = plans.every(function (plan) { return plan.lacks; });
    plans.forEach(function (plan, place) {
      var best = place === 0 && !plan.lacks;
      var row = body.insertRow();
      var isShown = nothingFits || (place < BEST_SHOWN && !plan.lacks) || drawn.indexOf(plan) >= 0;
      row.className = (plan.lacks ? 'lacking' : best ? 'best' : '') + (isShown ? '' : ' more');
      row.dataset.kind = plan.kind.kind;
      row.dataset.bits = plan.bits;
      row.dataset.probes = plan.probes;
      row.dataset.rate = plan.rate;
      row.dataset.waste = plan.waste;
      var remarks = [];
      if (plan.lacks) { remarks.push(plan.lacks); }
      if (best) { remarks.push(wanted.rank === 'waste' ? 'fewest wasted reads' : 'least memory'); }
      if (plan.kind.slow) { remarks.push('several times slower than others'); }
      if (plan.kind.indexBits > 0) { remarks.push(plan.kind.indexBits.toFixed(0) + ' bits a key of it are an index'); }
      var bitsPerKey = plan.bitsPerKey + plan.kind.indexBits;
      ['', plan.kind.kind, isFinite(bitsPerKey) ? bitsPerKey.toFixed(2) : '–', memory(plan.whole),
        readable(plan.probes), percent(plan.rate), (plan.kind.forgets && isFinite(plan.waste) ? '≥ ' : '') + readable(plan.waste),
        remarks.join('; ')
      ].forEach(function (text, column) {
        var cell = row.insertCell();
        cell.textContent = text;
        if (column > 1 && column < 7) { cell.className = column === 4 ? 'number probes' : 'number'; }
      });
      var tick = document.createElement('input');
      tick.type = 'checkbox';
      tick.checked = drawn.indexOf(plan) >= 0;
      tick.disabled = Boolean(plan.lacks);
      tick.setAttribute('aria-label', 'draw ' + plan.kind.kind);
      tick.addEventListener('change', function () {
        if (!ticked) {
          ticked = {};
          drawn.forEach(function (one) { ticked[one.kind.kind] = true; });
        }
        ticked[plan.kind.kind] = tick.checked;
        showCurves(plans, wanted);
      });
      row.cells[0].append(tick);
      row.cells[1].prepend(swatch(plan.kind.kind));
      row.addEventListener('mouseenter', function () { emphasise(plan.kind.kind); });
      row.addEventListener('mouseleave', function () { emphasise(''); });
    });
  }

  function nameMoreButton() {
    var isAll = field('plans').classList.contains('all');
    field('more-plans').textContent = isAll ? 'Show the best kinds only' : 'Show all ' + data.kinds.length + ' kinds';
    field('more-plans').setAttribute('aria-expanded', String(isAll));
  }

  field('more-plans').addEventListener('click', function () {
    field('plans').classList.toggle('all');
    nameMoreButton();
  });
  nameMoreButton();

  function steps(from, to, count, logarithmic) {
    var list = [];
    for (var i = 0; i <= count; i++) {
      list.push(logarithmic ? from * Math.pow(to / from, i / count) : from + (to - from) * i / count);
    }
    return list;
  }

  var curves = {};

  function showCurve(id, xAxis, yAxis, series, marks) {
    var sets = series.map(function (one) {
      return dataset(one, xAxis.type === 'logarithmic', yAxis.type === 'logarithmic');
    });
    if (curves[id]) {
      curves[id].data.datasets = sets;
      curves[id].options = options(xAxis, yAxis, marks, true);
      curves[id].update('none');
    } else {
      curves[id] = new Chart(field(id), {
        type: 'scatter', data: { datasets: sets }, options: options(xAxis, yAxis, marks, true), plugins: [markLines]
      });
    }
  }

  /** Draws the curves of a kind thick, and all others as they are. */
  function emphasise(kind) {
    Object.keys(curves).forEach(function (id) {
      curves[id].data.datasets.forEach(function (set) {
        set.borderWidth = set.label === kind ? 5 : set.borderDash.length ? 1.5 : 2;
        set.order = set.label === kind ? -1 : 0;
      });
      curves[id].update('none');
    });
  }

  var RATES = steps(0.3, 1e-6, 22, true);
  var SKEWS = steps(0, 2, 20, false);

  function showCurves(plans, wanted) {
    var drawn = drawnOf(plans, wanted);
    function through(xs, y) {
      return drawn.map(function (plan) {
        return { name: plan.kind.kind, origin: 'ours', points: xs.map(function (x) { return [x, y(plan, x)]; }) };
      });
    }
    var all = Math.ceil(wanted.keys * wanted.growth);
    var bits = through(RATES, function (plan, rate) {
      return Besom.plan(plan.kind.model, wanted.keys, wanted.growth, rate).bits / all;
    });
    bits.push({ name: 'least possible', origin: 'theory', points: RATES.map(function (rate) {
      return [rate, Besom.entropyBitsPerKey(rate)];
    }) });
    showCurve('bits-curve', axis('false-positive rate', true, { reverse: true }), axis('bits a key', true), bits,
      wanted.byMemory ? [] : [{ x: wanted.rate, label: percent(wanted.rate) }]);
    showCurve('memory-curve', axis('keys', true), axis('memory', true, { ticks: memoryTicks() }),
      through(steps(wanted.keys / 100, wanted.keys * 100, 16, true), function (plan, keys) {
        var count = Math.max(1, Math.round(keys));
        return (Besom.plan(plan.kind.model, count, wanted.growth, plan.asked).bits
          + plan.kind.indexBits * Math.ceil(count * wanted.growth)) / 8;
      }), [{ x: wanted.keys, label: readable(wanted.keys) }]);
    var lookups = wanted.lookups * wanted.keys;
    showCurve('waste-curve', axis('skew: exponent of Zipf’s law', false), axis('wasted reads in a million lookups', true),
      through(SKEWS, function (plan, skew) {
        return 1e6 * Besom.wastedShare(
          plan.rate, plan.kind.adaptive, MISSING_KEYS_A_KEY * wanted.keys, skew, lookups);
      }), [{ x: wanted.skew, label: 'skew ' + wanted.skew }]);
  }

  /** Bytes on an axis of powers of ten. */
  function bytes(value) {
    var units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];
    var unit = Math.max(0, Math.min(units.length - 1, Math.floor((Math.log10(value) + 1e-9) / 3)));
    return readable(value / Math.pow(1000, unit)) + ' ' + units[unit];
  }

  function memoryTicks() {
    return {
      color: shade('--soft'), maxRotation: 0, autoSkipPadding: 8,
      callback: function (value) {
        var first = Number(value.toExponential(6).split('e')[0]);
        return first === 1 ? bytes(value) : '';
      }
    };
  }

  function calculate() {
    var byMemory = field('mode').value === 'memory';
    document.querySelectorAll('[data-mode]').forEach(function (label) {
      label.hidden = label.dataset.mode !== (byMemory ? 'memory' : 'rate');
    });
    field('rank').parentNode.hidden = byMemory;
    field('skew-shown').value = Number(field('skew').value).toFixed(2);
    try {
      var wanted = inputs();
      field('complaint').textContent = '';
      var plans = ranked(data.kinds.map(function (kind) { return planOf(kind, wanted); }), wanted);
      showPlans(plans, wanted);
      showCurves(plans, wanted);
      if (plans.every(function (plan) { return plan.lacks; })) {
        field('complaint').textContent = 'No kind can do all of this; the last column says what each lacks.';
      }
    } catch (e) {
      field('complaint').textContent = e.message;
    }
  }

  // ---- The page's formulas against the values that Java computed when the page was made

  function close(mine, theirs) {
    if (theirs === null) { return !isFinite(mine); }
    return Math.abs(mine - theirs) <= 1e-9 * Math.abs(theirs);
  }

  function check() {
    var models = {};
    data.kinds.forEach(function (kind) { models[kind.kind] = kind.model; });
    var wrong = 0;
    var count = 0;
    data.checks.forEach(function (one) {
      if (!models[one.kind]) { return; }
      var plan = Besom.plan(models[one.kind], one.keys, one.growth, one.fpp);
      ['bits', 'probes', 'rate'].forEach(function (name) {
        count++;
        if (!close(plan[name], one[name])) { wrong++; }
      });
    });
    data.skewChecks.forEach(function (one) {
      count++;
      if (!close(Besom.distinct(one.keys, one.skew, one.lookups), one.distinct)) { wrong++; }
    });
    var line = field('checked');
    line.dataset.count = count;
    line.dataset.wrong = wrong;
    line.textContent = wrong === 0
      ? 'Checked just now: ' + count + ' values of this calculator equal those that Besom’s Java code computed.'
      : 'Beware: ' + wrong + ' of ' + count + ' values of this calculator differ from those of Besom’s Java code.';
  }

  // ---- Small services

  function saveCsv(link) {
    var experiment = data.experiments.filter(function (one) { return one.name === link.dataset.experiment; })[0];
    function quoted(cell) {
      var text = cell === null ? '' : String(cell);
      return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    }
    var rows = [experiment.table.columns].concat(experiment.table.rows);
    var csv = rows.map(function (row) { return row.map(quoted).join(','); }).join('\r\n') + '\r\n';
    link.download = experiment.name + '.csv';
    link.href = 'data:text/csv;charset=utf-8,' + encodeURIComponent(csv);
  }

  document.querySelectorAll('.csv').forEach(saveCsv);
  document.querySelectorAll('.copy').forEach(function (button) {
    button.addEventListener('click', function () {
      var code = button.parentNode.querySelector('code');
      var selection = window.getSelection();
      selection.selectAllChildren(code);
      if (document.execCommand('copy')) {
        button.textContent = 'copied';
        selection.removeAllRanges();
      }
    });
  });

  function drawAll() {
    charts.forEach(function (chart) { chart.destroy(); });
    charts = [];
    Object.keys(curves).forEach(function (id) { curves[id].destroy(); });
    curves = {};
    document.querySelectorAll('canvas[data-experiment]').forEach(draw);
    calculate();
  }

  var pending = 0;
  document.querySelector('.inputs').addEventListener('input', function () {
    clearTimeout(pending);
    pending = setTimeout(calculate, 40);
  });
  document.querySelector('.inputs').addEventListener('submit', function (event) { event.preventDefault(); });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  var width = window.innerWidth;
  window.addEventListener('resize', function () {
    if (window.innerWidth !== width) {
      width = window.innerWidth;
      clearTimeout(pending);
      pending = setTimeout(drawAll, 100);
    }
  });
  check();
  drawAll();
  document.documentElement.dataset.drawn = 'yes';
})();
