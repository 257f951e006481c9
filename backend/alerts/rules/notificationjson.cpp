// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/notificationjson.h"

#include "backend/alerts/rules/alerttext.h"
#include "backend/core/names/keyname.h"
#include "backend/findings/findings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageAuthenticationCode>

namespace lk {

namespace {

QString typeId(Notification::Type type)
{
    switch (type) {
    case Notification::Type::Fired:
        return QStringLiteral("fired");
    case Notification::Type::Resolved:
        return QStringLiteral("resolved");
    case Notification::Type::Summary:
        return QStringLiteral("summary");
    case Notification::Type::Test:
        break;
    }
    return QStringLiteral("test");
}

QJsonObject alertJson(const Alert& alert)
{
    QJsonObject object;
    object[QStringLiteral("id")] = QString::fromLatin1(alert.id);
    object[QStringLiteral("rule")] = exactName(alert.rule);
    object[QStringLiteral("status")] =
        alert.isOpen() ? QStringLiteral("firing") : QStringLiteral("resolved");
    object[QStringLiteral("severity")] = QString::fromLatin1(severityId(alert.severity));
    object[QStringLiteral("kind")] =
        alert.kind ? QString::fromLatin1(kindId(*alert.kind)) : QStringLiteral("server");
    object[QStringLiteral("name")] = exactName(alert.name);
    object[QStringLiteral("text")] = alert.text;
    object[QStringLiteral("since_ms")] = alert.sinceMs;
    object[QStringLiteral("fired_ms")] = alert.firedMs;
    object[QStringLiteral("resolved_ms")] =
        alert.isOpen() ? QJsonValue() : QJsonValue(alert.resolvedMs);
    return object;
}

} // namespace

QByteArray notificationJson(const Notification& notification, const QString& deployment)
{
    QJsonArray alerts;
    for (const AlertPtr& alert : notification.alerts)
        alerts.append(alertJson(*alert));
    QJsonObject root;
    root[QStringLiteral("schema")] = 1;
    root[QStringLiteral("id")] = QString::fromLatin1(notification.id);
    root[QStringLiteral("event")] = typeId(notification.type);
    root[QStringLiteral("deployment")] = deployment;
    root[QStringLiteral("at_ms")] = notification.atMs;
    root[QStringLiteral("title")] = titleOf(notification);
    root[QStringLiteral("fired")] = notification.fired;
    root[QStringLiteral("resolved")] = notification.resolved;
    root[QStringLiteral("alerts")] = alerts;
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

QByteArray idOf(const QByteArray& json)
{
    return QJsonDocument::fromJson(json)[QStringLiteral("id")].toString().toLatin1();
}

QByteArray signatureOf(const QByteArray& body, qint64 seconds, const QByteArray& secret)
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, secret);
    code.addData(QByteArray::number(seconds) + '.');
    code.addData(body);
    return "v1=" + code.result().toHex();
}

} // namespace lk
