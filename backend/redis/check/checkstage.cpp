// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/check/checkstage.h"

#include "backend/text/errortext.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckStage)
};

} // namespace

QString stageTitle(CheckStage::Id id)
{
    using Id = CheckStage::Id;
    switch (id) {
    case Id::Name:
        return Text::tr("Name");
    case Id::Ssh:
        return QStringLiteral("SSH");
    case Id::Tcp:
        return QStringLiteral("TCP");
    case Id::Socket:
        return Text::tr("Socket");
    case Id::Tls:
        return QStringLiteral("TLS");
    case Id::Login:
        return Text::tr("Login");
    case Id::Sentinel:
        return Text::tr("Sentinel");
    case Id::Permissions:
        return Text::tr("Permissions");
    case Id::Role:
        return Text::tr("Role");
    case Id::Cluster:
        return Text::tr("Cluster");
    }
    return {};
}

QString stageId(CheckStage::Id id)
{
    using Id = CheckStage::Id;
    switch (id) {
    case Id::Name:
        return QStringLiteral("name");
    case Id::Ssh:
        return QStringLiteral("ssh");
    case Id::Tcp:
        return QStringLiteral("tcp");
    case Id::Socket:
        return QStringLiteral("socket");
    case Id::Tls:
        return QStringLiteral("tls");
    case Id::Login:
        return QStringLiteral("login");
    case Id::Sentinel:
        return QStringLiteral("sentinel");
    case Id::Permissions:
        return QStringLiteral("permissions");
    case Id::Role:
        return QStringLiteral("role");
    case Id::Cluster:
        return QStringLiteral("cluster");
    }
    return {};
}

QString outcomeId(CheckStage::Outcome outcome)
{
    switch (outcome) {
    case CheckStage::Outcome::Ok:
        return QStringLiteral("ok");
    case CheckStage::Outcome::Warning:
        return QStringLiteral("warning");
    case CheckStage::Outcome::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

CheckStage failedStage(CheckStage::Id id, double ms, const Error& error)
{
    CheckStage stage{id, CheckStage::Outcome::Failed, ms, errorText(error), error};
    if (!stage.text.endsWith(QLatin1Char('.')))
        stage.text += QLatin1Char('.');
    if (const QString advice = errorAdvice(error); !advice.isEmpty())
        stage.text += QLatin1Char(' ') + advice;
    return stage;
}

} // namespace lk
