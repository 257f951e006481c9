// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/libraries/libraryclients.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

constexpr qint64 celeryProducerMostWaiting = 30;
constexpr char separator[] = "\x06\x16"; // Kombu's separator in the members of a binding

constexpr std::array tasks{"shop.tasks.build_report", "shop.tasks.sync_inventory",
                           "shop.tasks.resize_image"};

QByteArray isoTime(qint64 seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds)
        .toUTC()
        .toString(QStringLiteral("yyyy-MM-dd'T'HH:mm:ss'+00:00'"))
        .toLatin1();
}

QByteArray quoted(const QByteArray& text)
{
    return '"' + text + '"';
}

// Fills a queue in the format of Celery 5 and Kombu. Its only worker is gone: it had taken three
// tasks, one of them due later, and no worker takes new ones.
class CeleryProducer final : public DemoClient
{
public:
    CeleryProducer(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-celery"), seed)
    {}

private:
    void begin() override
    {
        const QByteArray gap = QByteArray(separator) + separator;
        send({{"SADD", "_kombu.binding.celery", "celery" + gap + "celery"},
              {"SADD", "_kombu.binding.celery.pidbox", gap + "celery@reports-1.celery.pidbox"}});
        const qint64 nowS = QDateTime::currentSecsSinceEpoch();
        for (int i = 0; i < 3; ++i) {
            const QByteArray tag = uuid();
            const QByteArray eta = i == 2 ? isoTime(nowS + 3600) : QByteArray();
            send({{"HSET", "unacked", tag, '[' + message(tag, eta) + ", \"\", \"celery\"]"},
                  {"ZADD", "unacked_index", text(nowS - 900 - i) + ".25", tag}});
        }
        for (int i = 0; i < 8; ++i)
            push();
        every(8000, 20'000, [this] { push(); });
    }

    QByteArray uuid()
    {
        return hex(8) + '-' + hex(4) + "-4" + hex(3) + "-a" + hex(3) + '-' + hex(12);
    }

    QByteArray message(const QByteArray& tag, const QByteArray& eta = {})
    {
        const QByteArray id = uuid();
        const QByteArray argument = text(between(1, 999));
        const QByteArray body =
            ("[[" + argument +
             "], {}, {\"callbacks\": null, \"errbacks\": null, \"chain\": null, "
             "\"chord\": null}]")
                .toBase64();
        return "{\"body\": " + quoted(body) +
               ", \"content-encoding\": \"utf-8\", \"content-type\": \"application/json\", "
               "\"headers\": {\"lang\": \"py\", \"task\": " +
               quoted(oneOf(tasks)) + ", \"id\": " + quoted(id) + ", \"shadow\": null, \"eta\": " +
               (eta.isEmpty() ? QByteArray("null") : quoted(eta)) +
               ", \"expires\": null, \"group\": null, \"group_index\": null, \"retries\": 0, "
               "\"timelimit\": [null, null], \"root_id\": " +
               quoted(id) + ", \"parent_id\": null, \"argsrepr\": \"(" + argument +
               ",)\", \"kwargsrepr\": \"{}\", \"origin\": \"gen41@web-1\", \"ignore_result\": "
               "false}, "
               "\"properties\": {\"correlation_id\": " +
               quoted(id) +
               ", \"reply_to\": \"c04df2c8-f676-3919-874a-67c7b2da24d0\", \"delivery_mode\": 2, "
               "\"delivery_info\": {\"exchange\": \"\", \"routing_key\": \"celery\"}, "
               "\"priority\": 0, \"body_encoding\": \"base64\", \"delivery_tag\": " +
               quoted(tag) + "}}";
    }

    void push()
    {
        if (m_waiting > celeryProducerMostWaiting) {
            --m_waiting; // counts down until the next push returns the true length
            return;
        }
        ask({"LPUSH", "celery", message(uuid())}, [this](const Reply& length) {
            if (length.isInteger())
                m_waiting = length.integer;
        });
    }

    qint64 m_waiting = 0; ///< from the last push
};

} // namespace

std::unique_ptr<DemoClient> makeCeleryProducer(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<CeleryProducer>(url, seed);
}

} // namespace lk
