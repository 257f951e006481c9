// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/notify/desktopnotifier.h"

#include "backend/core/names/foreigntext.h"

#ifdef QT_DBUS_LIB // defined if Qt D-Bus is linked
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#endif
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk {

#ifdef QT_DBUS_LIB

namespace {

const QString service = QStringLiteral("org.freedesktop.Notifications");
const QString path = QStringLiteral("/org/freedesktop/Notifications");
constexpr int mostLines = 5;

// The service reads markup.
QString bodyOf(const QJsonObject& notification)
{
    const QJsonArray alerts = notification[QStringLiteral("alerts")].toArray();
    const bool several = alerts.size() > 1;
    QStringList lines;
    for (const QJsonValue& alert : alerts) {
        if (lines.size() == mostLines) {
            lines << QStringLiteral("…");
            break;
        }
        const QString text = alert[QStringLiteral("text")].toString();
        lines << (several
                      ? QStringLiteral("%1: %2").arg(alert[QStringLiteral("name")].toString(), text)
                      : text)
                     .toHtmlEscaped();
    }
    lines << notification[QStringLiteral("deployment")].toString().toHtmlEscaped();
    return lines.join(QLatin1Char('\n'));
}

uchar urgencyOf(const QJsonObject& notification)
{
    const QString event = notification[QStringLiteral("event")].toString();
    const QString severity =
        notification[QStringLiteral("alerts")][0][QStringLiteral("severity")].toString();
    if (event == QLatin1String("resolved"))
        return 0;
    return severity == QLatin1String("error") ? 2 : 1;
}

} // namespace

DesktopNotifier::DesktopNotifier(QObject* parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(service, path, service, QStringLiteral("ActionInvoked"), this,
                SLOT(onAction(uint, QString)));
    bus.connect(service, path, service, QStringLiteral("NotificationClosed"), this,
                SLOT(onClosed(uint, uint)));
}

void DesktopNotifier::show(const QByteArray& json)
{
    const QJsonObject notification = QJsonDocument::fromJson(json).object();
    const QJsonArray alerts = notification[QStringLiteral("alerts")].toArray();
    const QByteArray alert =
        alerts.size() == 1 ? alerts[0][QStringLiteral("id")].toString().toLatin1() : QByteArray();
    QDBusMessage call =
        QDBusMessage::createMethodCall(service, path, service, QStringLiteral("Notify"));
    call.setArguments(
        {QStringLiteral("Lockkeeper"), m_ids.value(alert, 0U), QStringLiteral("lockkeeper-console"),
         notification[QStringLiteral("title")].toString(), bodyOf(notification),
         QStringList{QStringLiteral("default"), tr("Show")},
         QVariantMap{{QStringLiteral("urgency"), QVariant::fromValue(urgencyOf(notification))},
                     {QStringLiteral("desktop-entry"), QStringLiteral("org.lockkeeper.Console")}},
         -1});
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    const QByteArray id = notification[QStringLiteral("id")].toString().toLatin1();
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, alert, id] {
        const QDBusPendingReply<uint> reply = *watcher;
        if (!reply.isError())
            onShown(reply.value(), alert);
        watcher->deleteLater();
        emit answered(
            id, reply.isError()
                    ? tr("no desktop notifications: %1").arg(foreignText(reply.error().message()))
                    : QString());
    });
}

#else

DesktopNotifier::DesktopNotifier(QObject* parent)
    : QObject(parent)
{}

void DesktopNotifier::show(const QByteArray& json)
{
    const QJsonObject notification = QJsonDocument::fromJson(json).object();
    const QByteArray id = notification[QStringLiteral("id")].toString().toLatin1();
    emit answered(id, tr("no desktop notifications: this program was built without D-Bus"));
}

#endif

void DesktopNotifier::onShown(uint id, const QByteArray& alert)
{
    m_alerts.insert(id, alert);
    if (!alert.isEmpty())
        m_ids.insert(alert, id);
}

void DesktopNotifier::onAction(uint id, const QString&)
{
    if (const auto alert = m_alerts.constFind(id); alert != m_alerts.cend())
        emit activated(*alert);
}

void DesktopNotifier::onClosed(uint id, uint)
{
    if (const QByteArray alert = m_alerts.take(id); m_ids.value(alert) == id)
        m_ids.remove(alert);
}

} // namespace lk
