// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/delivery/sender.h"

#include <QNetworkAccessManager>

class QNetworkReply;

namespace lk {

/// Posts signed messages to a URL. Follows no redirection, which would send the signature to
/// another place, and keeps no cookies. Lives in the thread that created it: the alerts' thread of
/// a session.
class Webhook final : public Sender
{
    Q_OBJECT

public:
    explicit Webhook(NotifyTarget target);

    void send(const Message& message, Done done) override;

private:
    void onFinished(QNetworkReply* reply, const Done& done) const;

    NotifyTarget m_target;
    QNetworkAccessManager m_network;
};

} // namespace lk
