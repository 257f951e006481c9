// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace lk {

/// How a column is drawn and sorted.
enum class ColumnStyle : quint8 {
    Name, ///< monospace, takes the space that is left
    Text,
    Mono,     ///< monospace text: an owner
    State,    ///< icon and word
    Fill,     ///< a bar with "used/limit"
    Count,    ///< right-aligned number
    Figure,   ///< right-aligned number with its unit in words
    Duration, ///< right-aligned, two units at most
    Layout,   ///< a layout's id; tables show and sort its title
};

/// One column of a table, an export, a text report. Values come from the state alone.
struct Column
{
    const char* id;
    ColumnStyle style;
    const char* source; ///< the title before translation; see title()
    QString (*text)(const State&);
    /// Larger sorts as more; empty sorts last. Null for columns sorted by their text.
    std::optional<double> (*number)(const State&);
    /// Of a duration that begins or ends at a known moment: that moment, server milliseconds.
    std::optional<qint64> (*moment)(const State&) = nullptr;
    bool expiry = false; ///< tells when the primitive expires
};

QString title(const Column& column); ///< translated

/// The columns of a kind, in their order.
std::span<const Column> columns(Kind kind);
/// Where among them the one is that tells when a primitive expires; -1: there is none.
int expiryColumn(Kind kind);

/// The columns of a kind with more, for a layout of that kind: one of an id that the kind has
/// stands in its place, any other before the layout's.
std::vector<Column> columnsWith(Kind kind, std::initializer_list<Column> more);

/// A chart that several numbers share.
struct MetricChart
{
    const char* source;            ///< the title before translation; see title()
    QString (*unit)(const State&); ///< what stands beside the title: what is counted, of what
};

/// One number of a state over time.
struct Metric
{
    enum class Unit : quint8 { Count, Milliseconds };
    enum class Tone : quint8 { Plain, Second, Third, Good, Bad }; ///< of its line in the chart
    const char* id;
    Unit unit;
    const char* source; ///< the title before translation; see title()
    std::optional<double> (*value)(const State&);
    /// No value in a state that could be read means that there is none, as of a lock that nobody
    /// holds; else it means that it is not known.
    bool emptyIsNone = false;
    /// Where it is one line of several; null: it has a chart of its own. Neighbours share it.
    const MetricChart* chart = nullptr;
    const char* line = nullptr; ///< its line's label before translation
    Tone tone = Tone::Plain;
};

QString title(const Metric& metric); ///< translated
QString title(const MetricChart& chart);
QString lineLabel(const Metric& metric); ///< translated; empty where it has a chart of its own

/// The metrics of a kind, in the order in which a detail pane shows them.
std::span<const Metric> metrics(Kind kind);
/// The metrics of a kind with more, for a layout of that kind: one of an id that the kind has
/// stands in its place, any other at the end. So those of a kind have the same index in all of its
/// layouts.
std::vector<Metric> metricsWith(Kind kind, std::initializer_list<Metric> more);
/// Where among those of the kind the one with that id is. There must be one.
int metricIndex(Kind kind, QByteArrayView id);

} // namespace lk
