// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/aclcommand.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/core/names/keyname.h"
#include "backend/redis/permissions/aclofnodes.h"
#include "backend/redis/permissions/permissiontexts.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

namespace lk {

namespace {

struct AclCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::AclCommand)
};

using AskedBy = AclReport::AskedBy;

AclPurpose purposeOf(const Invocation& invocation)
{
    return invocation.acts ? AclPurpose::Acting : AclPurpose::Reading;
}

int printLines(const Invocation& invocation)
{
    Output out;
    const QByteArrayList lines =
        invocation.ofSentinel ? sentinelAclLines() : aclLines(purposeOf(invocation));
    if (invocation.format == Invocation::Format::Json) {
        QJsonArray all;
        for (const QByteArray& line : lines)
            all.append(QString::fromLatin1(line));
        out.write(QJsonDocument(QJsonObject{{QStringLiteral("acts"), invocation.acts},
                                            {QStringLiteral("sentinel"), invocation.ofSentinel},
                                            {QStringLiteral("lines"), all}})
                      .toJson());
    } else {
        out.write(lines.join('\n') + '\n');
    }
    return out.end(ExitDone);
}

bool lacksAny(const AclReport& report)
{
    return report.lacksAny();
}

struct Gap
{
    QString rule;
    QString use;
    QString cost;
};

// The gaps other than missing commands.
std::vector<Gap> otherGaps(const AclReport& report, bool acts)
{
    std::vector<Gap> gaps;
    if (report.databaseDenied)
        gaps.push_back({QStringLiteral("db=%1").arg(*report.databaseDenied),
                        QStringLiteral("database"),
                        AclCommandText::tr("Nothing in this database can be read.")});
    if (report.keysDenied)
        gaps.push_back(
            {QStringLiteral("~*"), QStringLiteral("keys"),
             AclCommandText::tr("Keys outside this user's key patterns are skipped and counted.")});
    if (report.channelsDenied && acts)
        gaps.push_back(
            {QStringLiteral("&*"), QStringLiteral("channels"),
             AclCommandText::tr("Changes are found by polling only. Actions that publish are "
                                "refused.")});
    else if (report.channelsDenied)
        gaps.push_back({QStringLiteral("&__redis__:invalidate"), QStringLiteral("channels"),
                        AclCommandText::tr("Changes are found by polling only.")});
    return gaps;
}

QString ruleOf(const SentCommand& command)
{
    return QString::fromLatin1(aclRule(command));
}

QByteArrayList rulesOf(const std::vector<SentCommand>& commands)
{
    QByteArrayList rules;
    for (const SentCommand& command : commands)
        rules << aclRule(command);
    return rules;
}

// Those that cost the same stand together.
QString lackingText(const std::vector<SentCommand>& lacking)
{
    QStringList costs;
    std::map<QString, QStringList> rules;
    for (const SentCommand& command : lacking) {
        const QString cost = costText(command);
        if (!costs.contains(cost))
            costs << cost;
        rules[cost] << ruleOf(command);
    }
    QString text;
    for (const QString& cost : costs)
        text += QStringLiteral("  ") + rules[cost].join(QLatin1Char(' ')) +
                QStringLiteral("\n      ") + cost + QLatin1Char('\n');
    return text;
}

QString whereText(const AclReport& report, const QString& endpoint)
{
    const ServerFacts facts = report.info.facts(endpoint);
    const QString server = facts.program();
    const QString user =
        report.user.isEmpty() ? AclCommandText::tr("unknown user") : displayName(report.user);
    return server.isEmpty() ? QStringLiteral("%1  %2\n").arg(endpoint, user)
                            : QStringLiteral("%1  %2  %3\n").arg(endpoint, server, user);
}

QString reportText(const NodeAcl& node, bool acts)
{
    const AclReport& report = *node.report;
    QString text = whereText(report, node.endpoint);
    if (report.askedBy == AskedBy::NoUsers)
        return text +
               AclCommandText::tr(
                   "This version has no ACL users: anyone who can connect can do everything.\n");
    const int asked = int(report.asked.size());
    const int lacking = int(report.lacking.size());
    if (!lacksAny(report))
        text += acts ? AclCommandText::tr("Nothing is missing that reading and acting need.\n")
                     : AclCommandText::tr("Nothing is missing that reading needs.\n");
    if (lacking > 0)
        text += AclCommandText::tr("Missing: %1 of %2 commands\n").arg(lacking).arg(asked) +
                lackingText(report.lacking);
    else if (lacksAny(report))
        text += AclCommandText::tr("Missing:\n");
    for (const Gap& gap : otherGaps(report, acts))
        text += QStringLiteral("  %1\n      %2\n").arg(gap.rule, gap.cost);
    if (!report.unknown.empty())
        text += AclCommandText::tr(
                    "Unknown: this user may not run ACL DRYRUN, or this version lacks it: "
                    "%1\n")
                    .arg(QString::fromLatin1(rulesOf(report.unknown).join(' ')));
    if (report.user.isEmpty() || !lacksAny(report))
        return text;
    text += AclCommandText::tr("Grant it with:\n") + QStringLiteral("  ") +
            displayName(aclGrant(report.user, report.lacking));
    for (const Gap& gap : otherGaps(report, acts))
        text += QLatin1Char(' ') + gap.rule;
    return text + QLatin1Char('\n');
}

bool isSame(const AclReport& a, const AclReport& b)
{
    return a.user == b.user && a.askedBy == b.askedBy && a.keysDenied == b.keysDenied &&
           a.databaseDenied == b.databaseDenied && a.channelsDenied == b.channelsDenied &&
           rulesOf(a.lacking) == rulesOf(b.lacking) && rulesOf(a.unknown) == rulesOf(b.unknown);
}

// Every node of a cluster has users of its own: those that differ from the one that was named.
QString othersText(const std::vector<NodeAcl>& nodes, bool acts)
{
    QString text;
    int same = 0;
    for (size_t i = 1; i < nodes.size(); ++i) {
        if (!nodes[i].report)
            text += QLatin1Char('\n') +
                    QStringLiteral("%1: %2").arg(nodes[i].endpoint,
                                                 errorText(nodes[i].report.error())) +
                    QLatin1Char('\n');
        else if (isSame(*nodes[i].report, *nodes.front().report))
            ++same;
        else
            text += QLatin1Char('\n') + reportText(nodes[i], acts);
    }
    if (same > 0)
        text = AclCommandText::tr("The same on other masters: %1\n").arg(same) + text;
    return text;
}

int exitCode(const std::vector<NodeAcl>& nodes)
{
    if (std::any_of(nodes.begin(), nodes.end(), [](const NodeAcl& n) { return !n.report; }))
        return ExitUsage;
    const bool lacks = std::any_of(nodes.begin(), nodes.end(),
                                   [](const NodeAcl& n) { return lacksAny(*n.report); });
    return lacks ? ExitFound : ExitDone;
}

QJsonArray jsonOf(const std::vector<SentCommand>& commands)
{
    QJsonArray all;
    for (const SentCommand& command : commands) {
        QJsonArray kinds;
        for (const Kind kind : allKinds) {
            if ((command.kinds >> unsigned(kind)) & 1U)
                kinds.append(QString::fromLatin1(kindId(kind)));
        }
        all.append(QJsonObject{{QStringLiteral("permission"), ruleOf(command)},
                               {QStringLiteral("use"), QString::fromLatin1(useId(command.use))},
                               {QStringLiteral("kinds"), kinds},
                               {QStringLiteral("costs"), costText(command)}});
    }
    return all;
}

QJsonArray lackingJson(const AclReport& report, bool acts)
{
    QJsonArray lacking = jsonOf(report.lacking);
    for (const Gap& gap : otherGaps(report, acts))
        lacking.append(QJsonObject{{QStringLiteral("permission"), gap.rule},
                                   {QStringLiteral("use"), gap.use},
                                   {QStringLiteral("kinds"), QJsonArray()},
                                   {QStringLiteral("costs"), gap.cost}});
    return lacking;
}

QJsonArray nodesJson(const std::vector<NodeAcl>& nodes, bool acts)
{
    QJsonArray all;
    for (const NodeAcl& node : nodes) {
        QJsonObject one{{QStringLiteral("endpoint"), node.endpoint}};
        if (node.report)
            one.insert(QStringLiteral("lacking"), lackingJson(*node.report, acts));
        else
            one.insert(QStringLiteral("error"), errorText(node.report.error()));
        all.append(one);
    }
    return all;
}

QByteArray reportJson(const std::vector<NodeAcl>& nodes, bool acts)
{
    const AclReport& report = *nodes.front().report;
    const QString& endpoint = nodes.front().endpoint;
    const auto orNull = [](const QString& text) {
        return text.isEmpty() ? QJsonValue() : QJsonValue(text);
    };
    constexpr const char* ways[]{"no-users", "dry-run", "trial"};
    const ServerFacts facts = report.info.facts(endpoint);
    QJsonArray unknown;
    for (const SentCommand& command : report.unknown)
        unknown.append(ruleOf(command));
    const QJsonObject root{
        {QStringLiteral("endpoint"), endpoint},
        {QStringLiteral("flavour"), orNull(flavourName(facts.flavour))},
        {QStringLiteral("version"), orNull(facts.version)},
        {QStringLiteral("user"), orNull(displayName(report.user))},
        {QStringLiteral("acts"), acts},
        {QStringLiteral("asked_by"), QLatin1String(ways[size_t(report.askedBy)])},
        {QStringLiteral("asked"), int(report.asked.size())},
        {QStringLiteral("lacking"), lackingJson(report, acts)},
        {QStringLiteral("unknown"), unknown},
        {QStringLiteral("nodes"), nodesJson(nodes, acts)},
    };
    return QJsonDocument(root).toJson();
}

} // namespace

int runAcl(const Invocation& invocation)
{
    if (!invocation.hasUrl)
        return printLines(invocation);
    AclOfNodes check(invocation.url, purposeOf(invocation), invocation.timeoutMs);
    QObject::connect(&check, &AclOfNodes::finished, qApp, [&] {
        const std::vector<NodeAcl>& nodes = check.nodes();
        if (!nodes.front().report)
            return QCoreApplication::exit(reportError(nodes.front().report.error()));
        Output out;
        if (invocation.format == Invocation::Format::Json)
            out.write(reportJson(nodes, invocation.acts));
        else
            out.print(reportText(nodes.front(), invocation.acts) +
                      othersText(nodes, invocation.acts));
        QCoreApplication::exit(out.end(exitCode(nodes)));
    });
    QMetaObject::invokeMethod(&check, &AclOfNodes::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
