// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/redlocksteptext.h"

#include "app/cli/act/acttext.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk {

namespace {

struct RedlockStepText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

QString line(const QString& label, const QString& text)
{
    return QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -9).arg(text);
}

QString row(const QString& endpoint, const QString& text)
{
    return QStringLiteral("  %1  %2\n").arg(endpoint, text);
}

} // namespace

QString redlockPlanText(const RedlockPlan& plan)
{
    QString text;
    if (!plan.set.plans.empty()) {
        const Plan& first = plan.set.plans.front();
        text += first.question + QLatin1Char('\n');
        if (!first.consequence.isEmpty())
            text += QStringLiteral("  ") + first.consequence + QLatin1Char('\n');
        text += line(RedlockStepText::tr("only if"), first.guard);
        for (const QString& command : first.commands)
            text += line(RedlockStepText::tr("runs"), command);
        text += line(RedlockStepText::tr("undo"), undoText(first.undo));
    }
    for (qsizetype i = 0; i < plan.endpoints.size(); ++i)
        text += row(plan.endpoints[i], plan.set.plans[size_t(i)].expected);
    for (const RedlockPlan::Left& left : plan.left)
        text +=
            row(left.endpoint,
                left.isFailure ? RedlockStepText::tr("not possible: %1").arg(errorText(left.why))
                               : RedlockStepText::tr("unchanged: %1").arg(errorText(left.why)));
    return text;
}

QString redlockReceiptText(const QString& endpoint, const Receipt& receipt)
{
    const QString outcome = outcomeTitle(receipt.outcome);
    QString text = QStringLiteral("%1  %2").arg(endpoint, outcome);
    if (!receipt.text.isEmpty() && receipt.text != outcome)
        text += QStringLiteral(": ") + receipt.text;
    if (!receipt.id.isEmpty())
        text += QStringLiteral("  %1").arg(QString::fromLatin1(receipt.id));
    return text + QLatin1Char('\n');
}

QByteArray redlockReceiptJson(const QString& endpoint, const Receipt& receipt, const Plan& plan)
{
    QJsonObject json = QJsonDocument::fromJson(receiptJson(receipt, plan)).object();
    json.insert(QStringLiteral("endpoint"), endpoint);
    json.insert(QStringLiteral("group"), QString::fromLatin1(receipt.group));
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

QString redlockEndText(const RedlockPlan& plan, const std::vector<Receipt>& receipts)
{
    int done = 0;
    bool undoable = false;
    QStringList doubtful; // where it may still be
    for (size_t i = 0; i < receipts.size(); ++i) {
        const bool good = receipts[i].outcome == Outcome::Succeeded;
        done += good ? 1 : 0;
        undoable = undoable || receipts[i].undoable;
        if (!good)
            doubtful << plan.endpoints[qsizetype(i)];
    }
    for (const RedlockPlan::Left& left : plan.left) {
        if (left.isFailure)
            doubtful << left.endpoint;
    }
    QString text =
        RedlockStepText::tr("Succeeded on %1 of %2 servers").arg(done).arg(plan.rows().size());
    text += QLatin1Char('\n');
    if (!doubtful.isEmpty())
        text += RedlockStepText::tr("It may still be held on: %1")
                    .arg(doubtful.join(QStringLiteral(", "))) +
                QLatin1Char('\n');
    if (undoable)
        text += RedlockStepText::tr("Undo all of it with: lockkeeper redlock undo %1")
                    .arg(QString::fromLatin1(receipts.front().group)) +
                QLatin1Char('\n');
    return text;
}

} // namespace lk
