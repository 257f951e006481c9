// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/deploymentstatus.h"

#include "backend/session/sessionacting.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "widgets/board/boardtexts.h"
#include "widgets/controls/severitystyle.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::DeploymentStatus)
};

QString countText(Finding::Severity severity, qint64 count)
{
    const int n = int(std::min<qint64>(count, std::numeric_limits<int>::max()));
    switch (severity) {
    case Finding::Severity::Error:
        return Text::tr("%n error(s)", nullptr, n);
    case Finding::Severity::Warning:
        return Text::tr("%n warning(s)", nullptr, n);
    case Finding::Severity::Info:
        break;
    }
    return Text::tr("%n info", nullptr, n);
}

} // namespace

StatusWord connectionWord(const Session& session)
{
    using Phase = ConnectionStatus::Phase;
    switch (session.status().phase) {
    case Phase::Ready:
        if (session.polling().isPaused())
            return {QStringLiteral("pause"), ColorRole::Second, Text::tr("paused")};
        return {QStringLiteral("connect"), ColorRole::Ok, Text::tr("connected")};
    case Phase::Lost: {
        if (isLogin(session.status().error.code))
            return {QStringLiteral("lock"), ColorRole::Warning, Text::tr("login needed")};
        return {QStringLiteral("disconnect"), ColorRole::Danger, Text::tr("lost")};
    }
    default:
        return {QStringLiteral("clock"), ColorRole::Second, Text::tr("connecting")};
    }
}

StatusWord worstFindingWord(const Session& session)
{
    const LiveFindingsPtr& findings = session.findings().latest();
    if (!findings)
        return {QStringLiteral("unknown"), ColorRole::Second, Text::tr("not scanned")};
    const auto worst = findings->worst();
    if (const auto soFar = worst ? std::nullopt : scanSoFar(session)) {
        return {QStringLiteral("unknown"), ColorRole::Second,
                !soFar->isRunning ? Text::tr("not all keys read")
                : soFar->percent  ? Text::tr("%1 % of the keys read").arg(*soFar->percent)
                                  : Text::tr("scanning")};
    }
    if (!worst)
        return {QStringLiteral("ok"), ColorRole::Ok, Text::tr("no findings")};
    return {severityIconName(*worst), severityRole(*worst),
            countText(*worst, findings->bySeverity[size_t(*worst)])};
}

StatusWord alertsWord(const Session& session)
{
    if (!session.alerts())
        return {{}, ColorRole::Second, QStringLiteral("\u2013")}; // it raises none
    const Alerts::Count open =
        session.alerts()->alerts()->unattended(QDateTime::currentMSecsSinceEpoch());
    if (!open.worst)
        return {{}, ColorRole::Second, Text::tr("none")};
    return {severityIconName(*open.worst), severityRole(*open.worst),
            Text::tr("%n open", nullptr, int(std::min<qint64>(open.count, 99'999)))};
}

QString deploymentText(const Session& session)
{
    QStringList parts{session.environment(), session.name(), connectionWord(session).text,
                      worstFindingWord(session).text};
    if (session.acting().isWriteModeOn())
        parts << Text::tr("write mode");
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace lk
