// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/webhook.h"

#include "backend/alerts/rules/notificationjson.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"

#include <QFile>
#include <QNetworkCookie>
#include <QNetworkCookieJar>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslConfiguration>
#include <QTimer>

namespace lk {

namespace {

constexpr const char* sentProperty = "sent"; // property of a reply: its request was sent

constexpr qint64 mostAnswerBytes = 64 * 1024; // the answer is not used

class NullCookieJar final : public QNetworkCookieJar
{
public:
    using QNetworkCookieJar::QNetworkCookieJar;
    QList<QNetworkCookie> cookiesForUrl(const QUrl&) const override { return {}; }
    bool setCookiesFromUrl(const QList<QNetworkCookie>&, const QUrl&) override { return false; }
};

// Errors of a kind that Qt puts into words with the URL, which may have a token in it.
QString problemOf(const QNetworkReply& reply)
{
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 300 && status < 400)
        return Webhook::tr(
                   "HTTP %1: redirects are not followed; enter the address that it leads to")
            .arg(status);
    if (status != 0 && (status < 200 || status > 299))
        return Webhook::tr("HTTP %1").arg(status);
    switch (reply.error()) {
    case QNetworkReply::NoError:
        return {};
    case QNetworkReply::OperationCanceledError:
    case QNetworkReply::TimeoutError:
        return Webhook::tr("timed out");
    case QNetworkReply::ConnectionRefusedError:
        return Webhook::tr("connection refused");
    case QNetworkReply::HostNotFoundError:
        return Webhook::tr("host not found");
    case QNetworkReply::RemoteHostClosedError:
        return Webhook::tr("the server closed the connection");
    case QNetworkReply::SslHandshakeFailedError:
        return Webhook::tr("TLS failed: %1").arg(foreignText(reply.errorString()));
    default:
        return Webhook::tr("network error %1").arg(int(reply.error()));
    }
}

} // namespace

Webhook::Webhook(NotifyTarget target)
    : m_target(std::move(target))
{
    m_network.setParent(this);
    m_network.setCookieJar(new NullCookieJar);
    m_network.setProxy(QNetworkProxy::DefaultProxy);
    m_network.setAutoDeleteReplies(false);
}

void Webhook::send(const Message& message, Done done)
{
    // The answer comes from the event loop, whatever it is.
    const auto fail = [&](const QString& problem) {
        QMetaObject::invokeMethod(
            this, [done, problem] { done({problem}); }, Qt::QueuedConnection);
    };
    QNetworkRequest request(m_target.webhook);
    const qint64 seconds = message.atMs / 1000;
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setHeader(QNetworkRequest::UserAgentHeader,
                      QStringLiteral("Lockkeeper/" LOCKKEEPER_VERSION));
    request.setRawHeader("Lockkeeper-Event", message.id);
    request.setRawHeader("Lockkeeper-Attempt", QByteArray::number(message.attempt));
    request.setRawHeader("Lockkeeper-Timestamp", QByteArray::number(seconds));
    if (!m_target.secretEnv.isEmpty()) {
        const QByteArray secret = qgetenv(m_target.secretEnv.constData());
        if (secret.isEmpty())
            return fail(tr("the environment variable %1 is not set, so the body cannot be signed")
                            .arg(displayName(m_target.secretEnv)));
        request.setRawHeader("Lockkeeper-Signature", signatureOf(message.body, seconds, secret));
    }
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    if (!m_target.caFile.isEmpty()) {
        QFile file(m_target.caFile);
        if (!file.open(QIODevice::ReadOnly))
            return fail(tr("%1: %2").arg(m_target.caFile, file.errorString()));
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setCaCertificates(QSslCertificate::fromDevice(&file));
        request.setSslConfiguration(tls);
    }
    QNetworkReply* reply = m_network.post(request, message.body);
    connect(reply, &QNetworkReply::requestSent, reply,
            [reply] { reply->setProperty(sentProperty, true); });
    // Limits the whole attempt: Qt's own timeout restarts with every byte.
    auto* limit = new QTimer(reply);
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, reply, &QNetworkReply::abort);
    limit->start(int(m_target.timeoutMs));
    connect(reply, &QNetworkReply::readyRead, reply, [reply, read = qint64(0)]() mutable {
        read += reply->readAll().size();
        if (read > mostAnswerBytes)
            reply->close();
    });
    connect(reply, &QNetworkReply::finished, this,
            [this, reply, done = std::move(done)] { onFinished(reply, done); });
}

void Webhook::onFinished(QNetworkReply* reply, const Done& done) const
{
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    // A status proves that the receiver has it, even if the rest of its answer is missing.
    const bool delivered = status >= 200 && status <= 299;
    const bool refused = status == 400 || status == 413 || status == 422;
    const QString problem = delivered ? QString() : problemOf(*reply);
    const bool unanswered = status == 0 && reply->property(sentProperty).toBool();
    reply->deleteLater();
    done({delivered || !problem.isEmpty() ? problem : tr("no response"), refused, unanswered});
}

} // namespace lk
