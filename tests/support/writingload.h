// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSemaphore>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <memory>
#include <vector>

namespace lk::test {

/// Clients that write all the time, one on each of these unix sockets, in threads of their own,
/// until this ends. Their keys are called noise:N and are nothing that is detected. Who is hung up
/// on or refused goes on: a server may be gone for a while, or be a replica, or have other slots.
class WritingLoad final
{
public:
    explicit WritingLoad(const QStringList& socketPaths);
    ~WritingLoad();
    WritingLoad(const WritingLoad&) = delete;
    WritingLoad& operator=(const WritingLoad&) = delete;

    /// How many commands succeeded.
    qint64 written() const { return m_written; }

private:
    void write(const QString& socketPath);

    std::vector<std::unique_ptr<QThread>> m_threads;
    QSemaphore m_end;
    std::atomic<qint64> m_written = 0;
};

} // namespace lk::test
