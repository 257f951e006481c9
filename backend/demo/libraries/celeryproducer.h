// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Fills a queue in the format of Celery 5 and Kombu. Its only worker is gone: it had taken three
/// tasks, one of them due later, and no worker takes new ones. Lives in the thread that made it.
class CeleryProducer final : public DemoClient
{
    Q_OBJECT

public:
    CeleryProducer(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    QByteArray message(const QByteArray& tag, const QByteArray& eta = {});
    QByteArray uuid();
    void push();

    qint64 m_waiting = 0; ///< from the last push
};

} // namespace lk
