// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace lk {

/// How a column is drawn and sorted.
enum class ColumnStyle : quint8 {
    Name, ///< monospace, takes the remaining space
    Text,
    Mono,     ///< monospace text: an owner
    State,    ///< icon and word
    Fill,     ///< a bar with "used/limit"
    Count,    ///< right-aligned number
    Figure,   ///< right-aligned number with its unit in words
    Duration, ///< right-aligned, two units at most
    Layout,   ///< a layout's id; tables show and sort its title
};

/// One column of a table, an export or a text report. Values depend only on the state.
struct Column
{
    const char* id;
    ColumnStyle style;
    const char* source; ///< the title before translation; see title()
    QString (*text)(const State&);
    /// The sort key; empty sorts last. Null for columns sorted by their text.
    std::optional<double> (*number)(const State&);
    /// For a duration with a known start or end: that moment, server milliseconds. May be null.
    std::optional<qint64> (*moment)(const State&) = nullptr;
    bool expiry = false; ///< the column shows when the primitive expires
};

QString title(const Column& column); ///< translated

/// The columns of a kind, in their order.
std::span<const Column> columns(Kind kind);
/// The index of the expiry column; -1 if there is none.
int expiryColumn(Kind kind);

/// The columns of a kind plus those in more, for a layout of that kind. A column with the id of an
/// existing one replaces it; any other goes before the layout column.
std::vector<Column> columnsWith(Kind kind, std::initializer_list<Column> more);

/// A chart that several metrics share.
struct MetricChart
{
    const char* source;            ///< the title before translation; see title()
    QString (*unit)(const State&); ///< text beside the title: the unit
};

/// One number of a state over time.
struct Metric
{
    enum class Unit : quint8 { Count, Milliseconds };
    enum class Tone : quint8 { Plain, Second, Third, Good, Bad }; ///< tone of its line in the chart
    const char* id;
    Unit unit;
    const char* source; ///< the title before translation; see title()
    std::optional<double> (*value)(const State&);
    /// How to read an empty value in a readable state. If true it means none, as for a lock without
    /// a holder; else unknown.
    bool emptyIsNone = false;
    /// The shared chart of adjacent metrics; null: the metric has its own chart.
    const MetricChart* chart = nullptr;
    const char* line = nullptr; ///< label of its line before translation
    Tone tone = Tone::Plain;
};

QString title(const Metric& metric); ///< translated
QString title(const MetricChart& chart);
QString lineLabel(const Metric& metric); ///< translated; empty if it has its own chart

/// The metrics of a kind, in the order of a detail pane.
std::span<const Metric> metrics(Kind kind);
/// The metrics of a kind plus those in more, for a layout of that kind. A metric with the id of an
/// existing one replaces it; any other goes to the end. So a kind's metrics have the same index in
/// all of its layouts.
std::vector<Metric> metricsWith(Kind kind, std::initializer_list<Metric> more);
/// The index of the kind's metric with that id, which must exist.
int metricIndex(Kind kind, QByteArrayView id);

} // namespace lk
