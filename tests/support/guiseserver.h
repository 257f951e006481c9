// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"

namespace lk::test {

/// A real server that passes for another version: its INFO says so, and what that version lacks it
/// does not know. In the test's own thread; everything it is sent is kept.
class GuiseServer final
{
public:
    struct Guise
    {
        QByteArray info;            ///< in place of the real one's version: "redis_version:5.0.14"
        QByteArrayList lacks;       ///< "LPOS", "CLIENT NO-TOUCH", "SET IFEQ"
        QByteArrayList denies = {}; ///< as for a user without that permission
        FaultServer::Responder knows = {}; ///< what the real one cannot: its bytes, or nothing
    };

    /// behind: started; it holds the data.
    GuiseServer(RedisServer& behind, Guise guise);

    ServerUrl url() const { return m_front.url(); }
    const std::vector<Command>& received() const { return m_front.received(); }
    /// What was sent though that version lacks it.
    const QByteArrayList& unknown() const { return m_unknown; }
    /// How often, by the name or by the name and the word after it: "CLIENT NO-TOUCH".
    int count(const QByteArray& words) const;
    /// The place of the first among all that was received; -1: it was not.
    int firstPlace(const QByteArray& words) const;

private:
    QByteArray answer(const Command& command);
    QByteArray ownAnswer(const Command& command); ///< empty: the real server has to say it
    QByteArray info(const Command& command);

    RespClient m_client;
    Guise m_guise;
    FaultServer m_front;
    QByteArrayList m_unknown;
};

} // namespace lk::test
