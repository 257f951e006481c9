// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/snapshotreport.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/findings/findingtraits.h"
#include "backend/report/snapshot/estimates.h"
#include "backend/report/snapshot/extremes.h"
#include "backend/report/snapshot/snapshotjobtext.h"
#include "backend/text/columns/column.h"
#include "backend/text/kindtitles.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QHash>
#include <QIODevice>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct SnapshotTextText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SnapshotText)
};

constexpr int widestCell = 48;

bool isNumber(ColumnStyle style)
{
    return style == ColumnStyle::Count || style == ColumnStyle::Duration ||
           style == ColumnStyle::Fill;
}

QString cell(QString text, bool right, qsizetype width, bool last)
{
    if (text.size() > width)
        text = text.left(width - 1) + QChar(0x2026);
    if (right)
        return text.rightJustified(width);
    return last ? text : text.leftJustified(width);
}

void writeRow(QIODevice& out, const std::vector<bool>& numbers, const QStringList& cells,
              const std::vector<qsizetype>& widths)
{
    QString line = QStringLiteral("  ");
    for (qsizetype c = 0; c < cells.size(); ++c) {
        const bool last = c + 1 == cells.size();
        line += cell(cells[c], numbers[size_t(c)], widths[size_t(c)], last);
        if (!last)
            line += QStringLiteral("  ");
    }
    out.write(line.toUtf8() + '\n');
}

// Names of primitives in texts. The prefix is shown where two of a kind have the same label.
class TextNames
{
public:
    TextNames(const StateSequence& states, Codes codes)
        : m_codes(codes)
    {
        for (size_t at = 0; at < states.size(); ++at) {
            const Primitive& primitive = states.primitive(at);
            if (primitive.label->isEmpty())
                continue;
            auto& [owner, shared] = m_labels[keyOf(primitive.kind, *primitive.label)];
            shared |= !owner.isEmpty() && owner != primitive.id.name;
            owner = primitive.id.name;
        }
        for (size_t at = 0; at < states.size(); ++at) {
            const Primitive& primitive = states.primitive(at);
            for (const KeyRole& key : isShared(primitive) ? primitive.keys : std::vector<KeyRole>())
                m_ownerOfKey.insert(keyOf(primitive.kind, key.key), primitive.id.name);
        }
    }

    QString of(const Primitive& primitive) const
    {
        return isShared(primitive) ? shownKey(primitive.kind, primitive.id.name, m_codes)
                                   : shownName(primitive, m_codes);
    }
    QString of(const Finding& finding) const
    {
        const auto owner = m_ownerOfKey.constFind(keyOf(finding.kind, finding.key));
        const bool isKnown = owner != m_ownerOfKey.cend() && !finding.group && !finding.ofServer;
        return isKnown ? shownKey(finding.kind, *owner, m_codes) : shownName(finding, m_codes);
    }

private:
    static std::pair<int, QByteArray> keyOf(Kind kind, const QByteArray& name)
    {
        return {int(kind), name};
    }
    bool isShared(const Primitive& primitive) const
    {
        return !primitive.label->isEmpty() &&
               m_labels.value(keyOf(primitive.kind, *primitive.label)).second;
    }

    const Codes m_codes;
    /// The owner of each label of a kind, and whether another has it, too.
    QHash<std::pair<int, QByteArray>, std::pair<QByteArray, bool>> m_labels;
    QHash<std::pair<int, QByteArray>, QByteArray> m_ownerOfKey; ///< for labels that several share
};

void writeKind(QIODevice& out, Kind kind, const std::vector<StatePtr>& states, size_t total,
               const SlotOwners& owners, const TextNames& names)
{
    const std::span<const Column> shown = columns(kind);
    std::vector<QStringList> table{QStringList()};
    std::vector<bool> numbers;
    for (const Column& column : shown) {
        table[0] << title(column);
        numbers.push_back(isNumber(column.style));
        if (column.style == ColumnStyle::Name && owners.areKnown()) {
            table[0] << SnapshotTextText::tr("Node");
            numbers.push_back(false);
        }
    }
    for (const StatePtr& state : states) {
        const Primitive& primitive = *state->primitive;
        QStringList cells;
        for (const Column& column : shown) {
            const bool isName = column.style == ColumnStyle::Name;
            cells << (isName ? names.of(primitive) : column.text(*state));
            if (isName && owners.areKnown())
                cells << owners.nodeOf(primitive);
        }
        table.push_back(cells);
    }
    std::vector<qsizetype> widths(numbers.size(), 0);
    for (const QStringList& cells : table) {
        for (size_t c = 0; c < widths.size(); ++c)
            widths[c] =
                std::min<qsizetype>(std::max(widths[c], cells[qsizetype(c)].size()), widestCell);
    }
    out.write('\n' + (kindPluralTitle(kind) + QStringLiteral(" (%1)").arg(total)).toUtf8() + '\n');
    for (const QStringList& cells : table)
        writeRow(out, numbers, cells, widths);
    if (states.size() < total)
        out.write(
            "  " +
            SnapshotTextText::tr("… and %n more", nullptr, int(total - states.size())).toUtf8() +
            '\n');
    for (const StatePtr& state : states)
        writeJobsText(out, *state, names.of(*state->primitive));
}

// Collects the worst findings, worst first, and keeps only as many as are shown. Counts the
// silenced ones.
class WorstFindings
{
public:
    explicit WorstFindings(int most)
        : m_most(size_t(std::max(0, most)))
    {}

    void offer(const Finding& finding)
    {
        if (finding.silenced) {
            ++m_silenced;
            return;
        }
        Placed placed{finding, m_total++};
        if (m_shown.size() == m_most) {
            if (m_most == 0 || !isBefore(placed, m_shown.front()))
                return;
            std::pop_heap(m_shown.begin(), m_shown.end(), isBefore);
            m_shown.pop_back();
        }
        m_shown.push_back(std::move(placed));
        std::push_heap(m_shown.begin(), m_shown.end(), isBefore);
    }
    void write(QIODevice& out, const TextNames& names)
    {
        if (m_total + m_silenced == 0)
            return;
        std::sort_heap(m_shown.begin(), m_shown.end(), isBefore);
        out.write('\n' + SnapshotTextText::tr("Findings (%1)").arg(m_total).toUtf8() + '\n');
        for (const auto& [shown, at] : m_shown)
            out.write(QStringLiteral("  %1  %2  %3: %4\n")
                          .arg(severityWord(shown.severity), -7)
                          .arg(QString::fromLatin1(shown.code), names.of(shown), shown.message)
                          .toUtf8());
        if (m_shown.size() < m_total)
            out.write("  " +
                      SnapshotTextText::tr("… and %n more", nullptr, int(m_total - m_shown.size()))
                          .toUtf8() +
                      '\n');
        if (m_silenced > 0)
            out.write("  " + SnapshotTextText::tr("silenced: %1").arg(m_silenced).toUtf8() + '\n');
    }

private:
    struct Placed
    {
        Finding finding;
        size_t at = 0;
    };

    static bool isBefore(const Placed& a, const Placed& b)
    {
        const Finding& x = a.finding;
        const Finding& y = b.finding;
        if (x.severity != y.severity)
            return x.severity > y.severity;
        if (x.code != y.code)
            return x.code < y.code;
        return x.name != y.name ? x.name < y.name : a.at < b.at;
    }

    size_t m_most;
    size_t m_total = 0;
    size_t m_silenced = 0;
    std::vector<Placed> m_shown; ///< the last of them first, while they come
};

} // namespace

QByteArray serverLine(const ServerFacts& server, const ScanCounts& scan)
{
    // Counts only in a cluster that is followed; with a single node the others were not read.
    int masters = 0;
    int answering = 0;
    for (const NodeFacts& node : server.nodes) {
        const bool isOne =
            node.role == NodeRole::Master && node.reachable && node.slotCount.value_or(0) > 0;
        masters += isOne ? 1 : 0;
        answering += isOne && *node.reachable ? 1 : 0;
    }
    QStringList parts{server.endpoint, server.program(), serverModeName(server.mode)};
    if (server.mode == ServerMode::Sentinel && !server.nodes.empty())
        parts << SnapshotTextText::tr("master %1")
                     .arg(server.nodes.front().endpoint); // the current master
    else if (masters <= 1)
        parts << nodeRoleName(server.role); // else all of them are read, whichever node was named
    else if (answering == masters)
        parts << SnapshotTextText::tr("%n masters", nullptr, masters);
    else
        parts << SnapshotTextText::tr("%1 of %n masters", nullptr, masters).arg(answering);
    parts.removeAll(QString()); // unknown parts
    QString line = parts.join(QStringLiteral("  "));
    for (const Missing& missing : scan.missing) {
        if (missing.cause == Missing::Cause::OtherNodes && !missing.detail.isEmpty())
            line += QStringLiteral("  ") + missing.detail;
    }
    return line.toUtf8() + '\n';
}

QByteArray scannedLines(const ScanCounts& scan)
{
    const QLocale locale;
    QString text =
        SnapshotTextText::tr(
            "Scanned %1 keys: %2 detected, %3 not recognized, %4 skipped. %5 commands in %6.")
            .arg(locale.toString(scan.scanned), locale.toString(scan.matched),
                 locale.toString(scan.notRecognized), locale.toString(scan.skipped),
                 locale.toString(scan.commands), formatDuration(scan.elapsedMs)) +
        QLatin1Char('\n');
    if (!scan.missing.empty())
        text += SnapshotTextText::tr("Incomplete:") + QLatin1Char('\n');
    for (const Missing& missing : scan.missing)
        text += QStringLiteral("  ") + missingText(missing, scan) + QLatin1Char('\n');
    return text.toUtf8();
}

QStringList serverNotes(const ServerFacts& server)
{
    QStringList notes;
    // Only the master knows how far a replica is behind; INFO counts whole seconds.
    const bool follows = server.masterLink == MasterLink::Up && staleReplicaText(server).isEmpty();
    if (follows && server.masterSilentMs)
        notes << SnapshotTextText::tr(
                     "A replica of %1, last contact %2 ago; data may lag slightly.")
                     .arg(server.master,
                          formatDuration(std::max<qint64>(*server.masterSilentMs, 1000)));
    else if (follows)
        notes << SnapshotTextText::tr("A replica of %1; data may lag slightly.").arg(server.master);
    for (const Finding& finding : findingsOfServer(server)) {
        if (finding.about != Finding::About::Settings)
            notes << finding.message;
    }
    if (server.timeSource == TimeSource::Info)
        notes << SnapshotTextText::tr("Times are from INFO's clock: no permission for TIME.");
    else if (server.timeSource == TimeSource::Local)
        notes << SnapshotTextText::tr(
            "Times are from this machine's clock, which may differ from the "
            "server's: no permission for TIME and INFO.");
    if (server.leavesKeysUntouched == false && server.evictsByUse)
        notes << SnapshotTextText::tr(
            "Reading marks keys as recently used, and this server evicts by use: "
            "CLIENT NO-TOUCH is missing, unsafe or denied.");
    return notes;
}

std::vector<StatePtr> rowsOf(const StateSequence& all, Kind kind, int most)
{
    struct Place
    {
        StateRank rank;
        size_t at;
    };
    const auto isBefore = [&all](const Place& a, const Place& b) {
        if (a.rank.health != b.rank.health)
            return a.rank.health > b.rank.health;
        return a.rank.urgency != b.rank.urgency ? a.rank.urgency > b.rank.urgency
                                                : all.isBefore(a.at, b.at);
    };
    std::vector<Place> places; // a heap of the best so far, the worst of these on top
    const StateSequence::Range range = all.rangeOf(kind);
    for (size_t at = range.begin; at < range.end && most > 0; ++at) {
        const Place place{all.rank(at), at};
        if (places.size() == size_t(most)) {
            if (!isBefore(place, places.front()))
                continue;
            std::pop_heap(places.begin(), places.end(), isBefore);
            places.pop_back();
        }
        places.push_back(place);
        std::push_heap(places.begin(), places.end(), isBefore);
    }
    std::sort_heap(places.begin(), places.end(), isBefore);
    std::vector<StatePtr> rows;
    std::transform(places.begin(), places.end(), std::back_inserter(rows),
                   [&](const Place& place) { return all.state(place.at); });
    return rows;
}

namespace {

QByteArray estimateLine(const Estimate& estimate)
{
    const QLocale locale;
    const QString what = estimate.prefix.isEmpty()
                             ? kindPluralWord(estimate.kind)
                             : QStringLiteral("%1*").arg(displayName(estimate.prefix));
    return QStringLiteral("  %1  %2  %3\n")
        .arg(what, -24)
        .arg(QString::fromLatin1(estimate.layout), -24)
        .arg(SnapshotTextText::tr("about %1 (%2 to %3; seen %4)")
                 .arg(locale.toString(estimate.likely), locale.toString(estimate.low),
                      locale.toString(estimate.high), locale.toString(estimate.seen)))
        .toUtf8();
}

QString ageText(const Extremes::Old& old)
{
    const QString age = formatDuration(old.ageMs);
    switch (old.state->kind()) {
    case Kind::Limiter:
        return SnapshotTextText::tr("last request %1 ago").arg(age);
    case Kind::Lock:
        return SnapshotTextText::tr("held for %1").arg(age);
    default:
        return SnapshotTextText::tr("oldest job: %1").arg(age);
    }
}

// A token's name is told as everywhere.
void writeExtremes(QIODevice& out, const Extremes& extremes, Codes codes)
{
    const QLocale locale;
    const auto write = [&](const State& state, const QString& what) {
        out.write(QStringLiteral("    %1  %2  %3\n")
                      .arg(shownName(*state.primitive, codes), -32)
                      .arg(QString::fromLatin1(state.primitive->id.layout), -24)
                      .arg(what)
                      .toUtf8());
    };
    if (!extremes.fullest.empty())
        out.write("  " + SnapshotTextText::tr("The fullest of what was seen").toUtf8() + '\n');
    for (const Extremes::Full& one : extremes.fullest)
        write(*one.state, one.limit
                              ? SnapshotTextText::tr("%1 of %2")
                                    .arg(locale.toString(one.used), locale.toString(*one.limit))
                              : SnapshotTextText::tr("%n job(s)", nullptr, int(one.used)));
    if (!extremes.oldest.empty())
        out.write("  " + SnapshotTextText::tr("The oldest of what was seen").toUtf8() + '\n');
    for (const Extremes::Old& one : extremes.oldest)
        write(*one.state, ageText(one));
}

// Before the tables: what these list is a part of what there is.
void writeEstimates(QIODevice& out, const Snapshot& snapshot, const StateSequence& states,
                    Codes codes)
{
    const QLocale locale;
    const ScanCounts& scan = snapshot.scan;
    out.write(
        '\n' +
        SnapshotTextText::tr("Estimates for all %1 keys, from %2 of them, with 95 % confidence")
            .arg(locale.toString(std::max(scan.expected, scan.scanned)),
                 locale.toString(scan.scanned))
            .toUtf8() +
        '\n');
    const Estimates estimates = estimatesOf(snapshot.scan, states);
    for (const Estimate& layout : estimates.layouts)
        out.write(estimateLine(layout));
    for (const Estimate& prefix : estimates.prefixes) {
        if (!prefix.prefix.isEmpty())
            out.write(estimateLine(prefix));
    }
    writeExtremes(out, extremesOf(states), codes);
    out.write("  " +
              SnapshotTextText::tr("The tables show what was seen, most severe first.").toUtf8() +
              '\n');
}

// One line: what is not proven is not to be mistaken for what is.
void writePossible(QIODevice& out, const PossiblePrimitives& possible)
{
    QStringList counts;
    for (const Kind kind : allKinds) {
        if (possible.count(kind) > 0)
            counts << QStringLiteral("%1 %2").arg(kindPluralWord(kind)).arg(possible.count(kind));
    }
    if (!counts.isEmpty())
        out.write(SnapshotTextText::tr(
                      "Possible but not proven, and not counted: %1. Declare those that are "
                      "real; --format json lists them.")
                      .arg(counts.join(QStringLiteral(", ")))
                      .toUtf8() +
                  '\n');
}

} // namespace

void writeText(const Snapshot& snapshot, QIODevice& out, Codes codes, int maxRows)
{
    writeText(snapshot, GatheredStates(snapshot.states), out, codes, maxRows);
}

void writeText(const Snapshot& snapshot, const StateSequence& states, QIODevice& out, Codes codes,
               int maxRows)
{
    out.write(serverLine(snapshot.server, snapshot.scan));
    for (const QString& note : serverNotes(snapshot.server))
        out.write("  " + note.toUtf8() + '\n');
    if (isSample(snapshot))
        writeEstimates(out, snapshot, states, codes);
    const TextNames names(states, codes);
    for (Kind kind : allKinds) {
        if (const size_t total = states.count(kind))
            writeKind(out, kind, rowsOf(states, kind, maxRows), total, states.owners(), names);
    }
    WorstFindings findings(maxRows);
    states.forEachFinding(snapshot, [&](const Finding& finding) { findings.offer(finding); });
    findings.write(out, names);
    out.write('\n' + scannedLines(snapshot.scan));
    writePossible(out, *snapshot.possible);
    // Keys that were detected may be gone by the time that they are read.
    if (states.empty() && snapshot.scan.matched == 0) {
        out.write(SnapshotTextText::tr(
                      "No limiter, lock, queue or token was detected. Declare your own keys "
                      "in a configuration file and pass it with --config.")
                      .toUtf8() +
                  '\n');
    }
}

} // namespace lk
