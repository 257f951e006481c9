// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkreport.h"

#include "app/cli/act/actcommands.h"

#include "backend/core/json/jsontext.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/layouts/layout.h"
#include "backend/session/snapshot/snapshotreport.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckReport)
};

constexpr int mostRows = 50; // of one code in the text; the rest is counted

QString count(qint64 n)
{
    return QLocale().toString(n);
}

// For a POSIX shell, in quotes where it would be taken apart.
QString shellWord(const QString& word)
{
    const bool plain = !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) {
        return c.isLetterOrNumber() || QStringLiteral("_-.:/@%+=,").contains(c);
    });
    if (plain)
        return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) +
           QLatin1Char('\'');
}

// No name that fills pages is printed: a word stands for it.
QString nameWord(const Finding& finding, const QByteArray& name, Codes codes, const char* instead)
{
    constexpr qsizetype longest = 1024; // bytes
    return name.size() > longest ? QLatin1String(instead)
                                 : shellWord(exactKey(finding.kind, name, codes));
}

// What has to be told and is not known here is left to be filled in.
QString placeholder(const ActionParameter& p)
{
    using Type = ActionParameter::Type;
    const QString name = QStringLiteral(" --") + QString::fromLatin1(p.name);
    if (p.type == Type::Flag)
        return name;
    if (p.type == Type::Choice)
        return name + QLatin1Char(' ') + QString::fromLatin1(p.choices.value(0));
    return name + QLatin1Char(' ') + QString::fromLatin1(p.name).toUpper();
}

const Action* actionOf(const QByteArray& id)
{
    const std::vector<const Action*> all = knownActions();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Action* a) { return a->id() == id; });
    return it == all.end() ? nullptr : *it;
}

// What stands in place of a short code names nothing once this process has ended.
bool canBeNamed(const Finding& finding, Codes codes)
{
    return codes == Codes::Revealed || finding.kind != Kind::Token || finding.group ||
           readMasked(redactedKey(finding.kind, finding.name)).lasting;
}

// One line for all of a code: NAME stands for the object, and KEY for its key in brackets, where
// there are several.
QString commandOf(const Finding& finding, bool several, Codes codes)
{
    const Action* action = finding.action.isEmpty() ? nullptr : actionOf(finding.action);
    if (!action)
        return {};
    QString text = QStringLiteral("lockkeeper act URL ") +
                   QString::fromLatin1(finding.action).replace(QLatin1Char('.'), QLatin1Char(' '));
    if (action->needsTarget())
        text += QLatin1Char(' ') + (several || !canBeNamed(finding, codes)
                                        ? QStringLiteral("NAME")
                                        : nameWord(finding, finding.name, codes, "NAME"));
    if (finding.about == Finding::About::OneOfSeveralJobs)
        return text + QStringLiteral(" --item N");
    for (const ActionParameter& p : action->parameters()) {
        if (p.name == "key" && finding.key != finding.name)
            text +=
                QStringLiteral(" --key ") +
                (several ? QStringLiteral("KEY") : nameWord(finding, finding.key, codes, "KEY"));
        else if (p.required || p.type == ActionParameter::Type::Duration)
            text += placeholder(p);
    }
    return text;
}

void writeGroup(std::span<const Finding* const> group, QIODevice& out, Codes codes)
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
        out.write("    " + Text::tr("… and %n more", nullptr, int(more)).toUtf8() + '\n');
    line(Text::tr("why"), first.why);
    line(Text::tr("do"), first.advice);
    line(Text::tr("run"), commandOf(first, group.size() > 1, codes));
}

} // namespace

bool CheckedGroups::whole() const
{
    return std::all_of(reports.begin(), reports.end(), [](const RedlockReportPtr& report) {
        return report->answering() == report->servers.size() && !report->cut;
    });
}

QStringList CheckedGroups::missing() const
{
    QStringList all;
    for (const RedlockReportPtr& report : reports) {
        const QString match = displayName(report->group.match);
        for (const RedlockServer& server : report->servers) {
            if (server.error)
                all << Text::tr("Redlock group %2: %1 does not answer: %3")
                           .arg(server.endpoint, match, foreignText(errorText(*server.error)));
        }
        if (report->cut)
            all << Text::tr("Redlock group %1: only the first %2 names were read")
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

void writeCheckText(const CheckReport& report, QIODevice& out, Codes codes)
{
    out.write(serverLine(report.snapshot().server, report.snapshot().scan));
    for (const QString& note : serverNotes(report.snapshot().server))
        out.write("  " + note.toUtf8() + '\n');
    const std::vector<const Finding*>& all = report.findings();
    for (size_t from = 0; from < all.size();) {
        size_t to = from;
        while (to < all.size() && all[to]->code == all[from]->code &&
               all[to]->severity == all[from]->severity && all[to]->action == all[from]->action)
            ++to;
        writeGroup(std::span(all).subspan(from, to - from), out, codes);
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
              Text::tr("Errors: %1, warnings: %2, info: %3, silenced: %4%5")
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
