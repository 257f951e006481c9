// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"

namespace lk::test {

/// A fake server: a real one that passes for another version. Its INFO reports that version, and it
/// rejects the commands that the version lacks. In the test's own thread; keeps all commands that
/// it receives.
class GuiseServer final
{
public:
    struct Guise
    {
        QByteArray info;            ///< in place of the real one's version: "redis_version:5.0.14"
        QByteArrayList lacks;       ///< "LPOS", "CLIENT NO-TOUCH", "SET IFEQ"
        QByteArrayList denies = {}; ///< as for a user without that permission
        FaultServer::Responder knows = {}; ///< replies that the real one lacks; may be null
    };

    /// behind: the server with the data; already started.
    GuiseServer(RedisServer& behind, Guise guise);

    ServerUrl url() const { return m_front.url(); }
    const std::vector<Command>& received() const { return m_front.received(); }
    /// The commands that were sent although that version lacks them.
    const QByteArrayList& unknown() const { return m_unknown; }
    /// Counts a command by its name, or by its name and the next word: "CLIENT NO-TOUCH".
    int count(const QByteArray& words) const;
    /// The index of the first one among all received commands; -1 if there is none.
    int firstPlace(const QByteArray& words) const;

private:
    QByteArray answer(const Command& command);
    QByteArray ownAnswer(const Command& command); ///< empty: the real server has to answer
    QByteArray info(const Command& command);

    RespClient m_client;
    Guise m_guise;
    FaultServer m_front;
    QByteArrayList m_unknown;
};

} // namespace lk::test
