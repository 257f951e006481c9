// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QHash>

namespace lk {

/// Predicts the type of a key from keys with similar names. A key then takes two commands instead
/// of three, as its type need not be read. The server's reply has to confirm the prediction. No
/// I/O; used by one thread.
class ExpectedTypes
{
public:
    /// Returns None if the type has to be read.
    KeyType of(const QByteArray& name) const;
    /// Notes a type that the server reported.
    void learn(const QByteArray& name, KeyType type);
    /// Notes a wrong prediction. More types of such names are read before the next prediction.
    void wasWrong(const QByteArray& name);

private:
    struct Namesakes
    {
        KeyType type = KeyType::None;
        int alike = 0;   ///< keys of that type in a row
        int enough = 16; ///< keys in a row required for a prediction
    };
    QHash<quint64, Namesakes> m_namesakes; ///< by the common part of the names
};

} // namespace lk
