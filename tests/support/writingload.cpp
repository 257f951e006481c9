// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/writingload.h"

#include "tests/support/respclient.h"

namespace lk::test {

namespace {

constexpr int atOnce = 50;  // commands
constexpr int paceMs = 10;  // between two such batches: a load, and no flood
constexpr int againMs = 50; // after a connection was lost
constexpr int keys = 2000;

} // namespace

WritingLoad::WritingLoad(const QStringList& socketPaths)
{
    for (const QString& path : socketPaths) {
        QThread* thread =
            m_threads.emplace_back(QThread::create([this, path] { write(path); })).get();
        thread->start();
    }
}

WritingLoad::~WritingLoad()
{
    m_end.release(int(m_threads.size()));
    for (const auto& thread : m_threads)
        thread->wait();
}

void WritingLoad::write(const QString& socketPath)
{
    int next = 0;
    auto client = std::make_unique<RespClient>(socketPath);
    int waitMs = paceMs;
    while (!m_end.tryAcquire(1, waitMs)) {
        std::vector<Command> commands;
        for (int i = 0; i < atOnce; ++i, next = (next + 7) % keys)
            commands.push_back({"SET", "noise:" + QByteArray::number(next), "...", "PX", "60000"});
        waitMs = paceMs;
        for (const Reply& reply : client->runAll(commands)) {
            if (!reply.isError()) {
                ++m_written;
            } else if (reply.text.startsWith("CLIENT ")) {
                client = std::make_unique<RespClient>(socketPath);
                waitMs = againMs;
                break;
            }
        }
    }
}

} // namespace lk::test
