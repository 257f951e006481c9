// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/acttext.h"

#include "backend/acting/planning/actionplace.h"
#include "backend/core/names/keyname.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk {

namespace {

struct ActTextText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActText)
};

QString line(const QString& label, const QString& text)
{
    return QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -15).arg(text);
}

QString snapshotCommand()
{
    return QStringLiteral("lockkeeper snapshot URL");
}

QString checkNote(const std::optional<OutcomeSeen>& seen)
{
    return seen && seen->read
               ? ActTextText::tr("this is the state as read now; other clients may change it. "
                                 "To read it again: %1")
                     .arg(snapshotCommand())
               : ActTextText::tr("%1 prints the state (read-only)").arg(snapshotCommand());
}

} // namespace

QString planText(const Plan& plan, const QString& endpoint)
{
    QString text = plan.question + QLatin1Char('\n');
    if (!plan.consequence.isEmpty())
        text += QStringLiteral("  ") + plan.consequence + QLatin1Char('\n');
    text += line(ActTextText::tr("server"), endpoint);
    if (!plan.node.isEmpty())
        text += line(ActTextText::tr("node"), nodeText(plan.node));
    QStringList keys;
    for (const QByteArray& key : plan.keys)
        keys << displayName(plan.redactedKey(key));
    if (!keys.isEmpty())
        text += line(ActTextText::tr("keys"), keys.join(QStringLiteral(", ")));
    if (!plan.expected.isEmpty())
        text += line(ActTextText::tr("current state"), plan.expected);
    if (!plan.guard.isEmpty())
        text += line(ActTextText::tr("only if"), plan.guard);
    for (const QString& command : plan.commands)
        text += line(ActTextText::tr("runs"), command);
    if (!plan.script.isEmpty())
        text += line(ActTextText::tr("undo"), undoText(plan.undo));
    return text;
}

QString receiptText(const Receipt& receipt, const std::optional<OutcomeSeen>& seen)
{
    const QString outcome = outcomeTitle(receipt.outcome);
    QString text = receipt.text.isEmpty() || receipt.text == outcome
                       ? outcome + QLatin1Char('\n')
                       : QStringLiteral("%1: %2\n").arg(outcome, receipt.text);
    if (receipt.id.isEmpty())
        return text;
    text += line(ActTextText::tr("receipt"), QString::fromLatin1(receipt.id));
    if (seen)
        text += line(ActTextText::tr("now"), seen->text);
    if (receipt.outcome == Outcome::Unknown)
        text += line(ActTextText::tr("check"), checkNote(seen));
    if (receipt.outcome == Outcome::Succeeded && receipt.action != "undo")
        text += line(ActTextText::tr("undo"),
                     receipt.undoable ? ActTextText::tr("act URL undo %1, %2")
                                            .arg(QString::fromLatin1(receipt.id), receipt.undoNote)
                                      : ActTextText::tr("not possible: %1").arg(receipt.undoNote));
    return text;
}

QByteArray receiptJson(const Receipt& receipt, const Plan& plan,
                       const std::optional<OutcomeSeen>& seen)
{
    QJsonObject json{{QStringLiteral("receipt"), QString::fromLatin1(receipt.id)},
                     {QStringLiteral("action"), QString::fromLatin1(receipt.action)},
                     {QStringLiteral("name"), displayName(plan.journalName)},
                     {QStringLiteral("outcome"), QString::fromLatin1(outcomeId(receipt.outcome))},
                     {QStringLiteral("text"), receipt.text},
                     {QStringLiteral("count"), double(receipt.count)},
                     {QStringLiteral("server_ms"), receipt.serverMs > 0
                                                       ? QJsonValue(double(receipt.serverMs))
                                                       : QJsonValue(QJsonValue::Null)},
                     {QStringLiteral("undoable"), receipt.undoable},
                     {QStringLiteral("undo_note"), receipt.undoNote}};
    if (!receipt.undoes.isEmpty())
        json.insert(QStringLiteral("undoes"), QString::fromLatin1(receipt.undoes));
    if (!receipt.revealed.isEmpty())
        json.insert(QStringLiteral("code"), QString::fromUtf8(receipt.revealed));
    if (seen && receipt.outcome == Outcome::Succeeded)
        json.insert(QStringLiteral("taken"), seen->text);
    if (receipt.outcome == Outcome::Unknown)
        json.insert(QStringLiteral("check"),
                    QJsonObject{{QStringLiteral("read"), seen && seen->read},
                                {QStringLiteral("now"),
                                 seen ? QJsonValue(seen->text) : QJsonValue(QJsonValue::Null)},
                                {QStringLiteral("note"), checkNote(seen)},
                                {QStringLiteral("command"), snapshotCommand()}});
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

QByteArray answerJson(const Answer& answer)
{
    const QJsonObject json{{QStringLiteral("yes"), answer.yes},
                           {QStringLiteral("text"), answer.text}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

QString journalText(const std::vector<JournalEntry>& entries)
{
    qsizetype outcomeWidth = 0;
    for (const JournalEntry& e : entries)
        outcomeWidth = std::max(outcomeWidth, outcomeTitle(e.outcome).size());
    QString text;
    for (const JournalEntry& e : entries) {
        const qint64 ms = e.serverMs > 0 ? e.serverMs : e.localMs;
        const QString who = QStringLiteral("%1@%2").arg(e.who, e.host);
        text +=
            QStringLiteral("%1  %2  %3 %4  %5  %6%7\n")
                .arg(QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODate),
                     QString::fromLatin1(e.receipt),
                     outcomeTitle(e.outcome).leftJustified(outcomeWidth),
                     QString::fromLatin1(e.action).leftJustified(16),
                     e.node.isEmpty() ? e.name
                                      : ActTextText::tr("%1 on %2").arg(e.name, nodeText(e.node)),
                     e.aclUser.isEmpty() ? who : ActTextText::tr("%1 as %2").arg(who, e.aclUser),
                     (e.reason.isEmpty() ? QString() : QStringLiteral("  ") + e.reason) +
                         (e.group.isEmpty() ? QString()
                                            : QStringLiteral("  ") + QString::fromLatin1(e.group)));
    }
    if (entries.empty())
        text = ActTextText::tr("No actions were run on this server from this account.") +
               QLatin1Char('\n');
    return text;
}

QByteArray journalJson(const std::vector<JournalEntry>& entries)
{
    QJsonArray all;
    for (const JournalEntry& e : entries)
        all.append(e.toJson());
    return QJsonDocument(all).toJson();
}

} // namespace lk
