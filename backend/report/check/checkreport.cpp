// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/check/checkreport.h"

#include "backend/report/check/suggestedcommand.h"

#include "backend/core/json/jsontext.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct CheckReportText
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckReport)
};

constexpr int mostRows = 50; // of one code in the text; the rest is counted

QString count(qint64 n)
{
    return QLocale().toString(n);
}

void writeGroup(std::span<const Finding* const> group, const FindingStates& states, QIODevice& out,
                Codes codes)
{
    const Finding& first = *group.front();
    out.write(QStringLiteral("\n%1  %2 (%3)\n")
                  .arg(severityWord(first.severity), QString::fromLatin1(first.code),
                       count(qint64(group.size())))
                  .toUtf8());
    const auto line = [&out](const QString& label, const QString& text) {
        if (!text.isEmpty())
            out.write(
                QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -6).arg(text).toUtf8());
    };
    int rows = 0;
    for (const Finding* finding : group) {
        if (++rows > mostRows)
            break;
        QString name = shownName(*finding, codes);
        if (!finding->key.isEmpty() && finding->key != finding->name && !finding->group)
            name += QStringLiteral(" [") + shownKey(*finding, codes) + QLatin1Char(']');
        out.write(QStringLiteral("    %1  %2\n").arg(name, finding->message).toUtf8());
    }
    if (const qint64 more = qint64(group.size()) - mostRows; more > 0)
        out.write("    " + CheckReportText::tr("… and %n more", nullptr, int(more)).toUtf8() +
                  '\n');
    line(CheckReportText::tr("why"), first.why);
    line(CheckReportText::tr("do"), first.advice);
    for (const QString& command : suggestedCommands(group, states, codes))
        line(CheckReportText::tr("run"), command);
}

} // namespace

bool CheckedGroups::whole() const
{
    return missing().isEmpty();
}

QStringList CheckedGroups::missing() const
{
    QStringList all;
    for (const RedlockReportPtr& report : reports) {
        const QString match = displayName(report->group.match);
        for (const RedlockServer& server : report->servers) {
            if (server.error)
                all << CheckReportText::tr("Redlock group %2: %1 does not answer: %3")
                           .arg(server.endpoint, match, foreignText(errorText(*server.error)));
        }
        if (report->cut)
            all << CheckReportText::tr("Redlock group %1: only the first %2 names were read")
                       .arg(match, count(qint64(report->locks.size())));
    }
    return all;
}

CheckReport::CheckReport(const Snapshot& snapshot, const CheckedGroups* groups)
    : m_snapshot(snapshot)
    , m_groups(groups)
{
    const auto take = [this](const std::vector<Finding>& findings) {
        for (const Finding& finding : findings) {
            if (finding.silenced)
                ++m_silenced[finding.code];
            else
                m_findings.push_back(&finding);
        }
    };
    take(snapshot.findings);
    if (groups)
        take(groups->findings);
    std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding* a, const Finding* b) {
        if (a->severity != b->severity)
            return a->severity > b->severity;
        if (a->code != b->code)
            return a->code < b->code;
        return a->action != b->action ? a->action < b->action : a->name < b->name;
    });
}

qint64 CheckReport::silencedCount() const
{
    qint64 all = 0;
    for (const auto& [code, n] : m_silenced)
        all += n;
    return all;
}

std::optional<Finding::Severity> CheckReport::worst() const
{
    return m_findings.empty() ? std::nullopt : std::optional(m_findings.front()->severity);
}

void writeCheckText(const CheckReport& report, const StateSequence& snapshot, QIODevice& out,
                    Codes codes)
{
    out.write(serverLine(report.snapshot().server, report.snapshot().scan));
    for (const QString& note : serverNotes(report.snapshot().server))
        out.write("  " + note.toUtf8() + '\n');
    const std::vector<const Finding*>& all = report.findings();
    const FindingStates states(snapshot, all);
    for (size_t from = 0; from < all.size();) {
        size_t to = from;
        while (to < all.size() && all[to]->code == all[from]->code &&
               all[to]->severity == all[from]->severity && all[to]->action == all[from]->action)
            ++to;
        writeGroup(std::span(all).subspan(from, to - from), states, out, codes);
        from = to;
    }
    const auto ofSeverity = [&all](Finding::Severity severity) {
        return count(std::count_if(all.begin(), all.end(),
                                   [&](const Finding* f) { return f->severity == severity; }));
    };
    using Severity = Finding::Severity;
    QString silenced;
    for (const auto& [code, n] : report.silenced())
        silenced += (silenced.isEmpty() ? QString() : QStringLiteral(", ")) +
                    QString::fromLatin1(code) + QLatin1Char(' ') + count(n);
    out.write('\n' +
              CheckReportText::tr("Errors: %1, warnings: %2, info: %3, silenced: %4%5")
                  .arg(ofSeverity(Severity::Error), ofSeverity(Severity::Warning),
                       ofSeverity(Severity::Info), count(report.silencedCount()),
                       silenced.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(silenced))
                  .toUtf8() +
              '\n');
    out.write(scannedLines(report.snapshot().scan));
    if (!report.groups())
        return;
    for (const QString& missing : report.groups()->missing())
        out.write(missing.toUtf8() + ".\n");
}

void writeCheckJson(const CheckReport& report, QIODevice& out, Codes codes)
{
    out.write("{\"schema\":2,\n\"server\":" + serverJson(report.snapshot().server));
    out.write(",\n\"scan\":" + scanJson(report.snapshot().scan));
    out.write(",\n\"findings\":[");
    bool first = true;
    for (const Finding* finding : report.findings()) {
        out.write(std::exchange(first, false) ? "\n" : ",\n");
        out.write(findingJson(*finding, codes));
    }
    JsonObject silenced;
    for (const auto& [code, n] : report.silenced())
        silenced.add(code, n);
    out.write("],\n\"silenced\":" + QByteArray::number(report.silencedCount()));
    out.write(",\n\"silenced_codes\":" + silenced.text() + "}\n");
}

} // namespace lk
