// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/connectioncommand.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/redis/check/connectioncheck.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

struct ConnectionCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConnectionCommand)
};

constexpr int longestStageMs = 15'000;

QString lineOf(const CheckStage& stage)
{
    using Outcome = CheckStage::Outcome;
    const QString outcome = stage.outcome == Outcome::Failed ? ConnectionCommandText::tr("failed")
                            : stage.outcome == Outcome::Warning
                                ? ConnectionCommandText::tr("warning")
                                : ConnectionCommandText::tr("ok");
    const QString time =
        stage.ms < 0 ? QString()
                     : ConnectionCommandText::tr("%1 ms").arg(QString::number(stage.ms, 'f', 1));
    return QStringLiteral("%1  %2  %3  %4\n")
        .arg(stageTitle(stage.id), -11)
        .arg(outcome, -7)
        .arg(time, 10)
        .arg(stage.text);
}

QByteArray jsonOf(const ConnectionCheck& check, const QString& endpoint)
{
    QJsonArray stages;
    for (const CheckStage& stage : check.stages())
        stages.append(QJsonObject{
            {QStringLiteral("stage"), stageId(stage.id)},
            {QStringLiteral("outcome"), outcomeId(stage.outcome)},
            {QStringLiteral("elapsed_ms"), stage.ms < 0 ? QJsonValue() : QJsonValue(stage.ms)},
            {QStringLiteral("message"), stage.text},
        });
    return QJsonDocument(QJsonObject{{QStringLiteral("endpoint"), endpoint},
                                     {QStringLiteral("connected"), !check.hasFailed()},
                                     {QStringLiteral("stages"), stages}})
        .toJson();
}

} // namespace

int runConnectionCheck(const Invocation& invocation)
{
    Output out;
    const bool json = invocation.format == Invocation::Format::Json;
    ConnectionCheck check(invocation.url, std::min(invocation.timeoutMs, longestStageMs));
    if (!json) {
        QObject::connect(&check, &ConnectionCheck::stageDone, qApp,
                         [&out](const CheckStage& stage) { out.print(lineOf(stage)); });
    }
    QObject::connect(&check, &ConnectionCheck::finished, qApp, [&] {
        if (json)
            out.write(jsonOf(check, invocation.url.endpoint()));
        if (const std::optional<Error> error = check.error())
            return QCoreApplication::exit(reportError(*error));
        QCoreApplication::exit(out.end(check.hasWarnings() ? ExitFound : ExitDone));
    });
    QMetaObject::invokeMethod(&check, &ConnectionCheck::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
