// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/acttext.h"

#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActText)
};

QString line(const QString& label, const QString& text)
{
    return QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -9).arg(text);
}

} // namespace

QString planText(const Plan& plan, const QString& endpoint)
{
    QString text = plan.question + QLatin1Char('\n');
    if (!plan.consequence.isEmpty())
        text += QStringLiteral("  ") + plan.consequence + QLatin1Char('\n');
    text += line(Text::tr("server"), endpoint);
    QStringList keys;
    for (const QByteArray& key : plan.keys)
        keys << displayName(plan.toldKey(key));
    if (!keys.isEmpty())
        text += line(Text::tr("keys"), keys.join(QStringLiteral(", ")));
    if (!plan.expected.isEmpty())
        text += line(Text::tr("seen"), plan.expected);
    if (!plan.guard.isEmpty())
        text += line(Text::tr("only if"), plan.guard);
    for (const QString& command : plan.commands)
        text += line(Text::tr("runs"), command);
    if (!plan.script.isEmpty())
        text += line(Text::tr("undo"), undoText(plan.undo));
    return text;
}

QString receiptText(const Receipt& receipt)
{
    QString text = QStringLiteral("%1: %2\n").arg(outcomeTitle(receipt.outcome), receipt.text);
    if (receipt.id.isEmpty())
        return text;
    text += line(Text::tr("receipt"), QString::fromLatin1(receipt.id));
    if (receipt.outcome == Outcome::Unknown)
        text += line(Text::tr("check"), Text::tr("snapshot URL shows what is there now; it only reads"));
    if (receipt.outcome == Outcome::Done && receipt.action != "undo")
        text += line(Text::tr("undo"), receipt.undoable
                                           ? Text::tr("act URL undo %1, %2")
                                                 .arg(QString::fromLatin1(receipt.id), receipt.undoNote)
                                           : Text::tr("not possible: %1").arg(receipt.undoNote));
    return text;
}

QString journalText(const std::vector<JournalEntry>& entries)
{
    QString text;
    for (const JournalEntry& e : entries) {
        const qint64 ms = e.serverMs > 0 ? e.serverMs : e.localMs;
        const QString who = QStringLiteral("%1@%2").arg(e.who, e.host);
        text += QStringLiteral("%1  %2  %3 %4  %5  %6%7\n")
                    .arg(QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODate),
                         QString::fromLatin1(e.receipt),
                         QString::fromLatin1(outcomeId(e.outcome)).leftJustified(8),
                         QString::fromLatin1(e.action).leftJustified(16), e.name,
                         e.aclUser.isEmpty() ? who : Text::tr("%1 as %2").arg(who, e.aclUser),
                         (e.reason.isEmpty() ? QString() : QStringLiteral("  ") + e.reason)
                             + (e.group.isEmpty() ? QString()
                                                  : QStringLiteral("  ") + QString::fromLatin1(e.group)));
    }
    if (entries.empty())
        text = Text::tr("Nothing was done on this server from this account.") + QLatin1Char('\n');
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
