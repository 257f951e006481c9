// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/testnotification.h"

#include "backend/alerts/delivery/sender.h"
#include "backend/alerts/rules/notificationjson.h"

#include <QCoreApplication>
#include <QUuid>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

Notification made(qint64 nowMs)
{
    Notification notification;
    notification.id = "test-" + QUuid::createUuid().toByteArray(QUuid::Id128);
    notification.type = Notification::Type::Test;
    notification.atMs = nowMs;
    return notification;
}

} // namespace

QByteArray testNotificationJson(const QString& deployment, qint64 nowMs)
{
    return notificationJson(made(nowMs), deployment);
}

void sendTestNotification(const AlertSettings& settings, const QByteArray& target,
                          const QString& deployment, qint64 nowMs, QObject* context,
                          const std::function<void(const QString& problem)>& done)
{
    const auto known = std::find_if(settings.targets.begin(), settings.targets.end(),
                                    [&](const NotifyTarget& t) { return t.name == target; });
    if (known == settings.targets.end())
        return done(Text::tr("this target is not configured here"));
    Sender* sender = makeSender(*known, secretsOf(settings)).release();
    sender->setParent(context);
    const Notification notification = made(nowMs);
    sender->send({notification.id, notificationJson(notification, deployment), 1, nowMs},
                 [sender, done](const SendResult& sent) {
                     sender->deleteLater();
                     done(sent.problem);
                 });
}

} // namespace lk
