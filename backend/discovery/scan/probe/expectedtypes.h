// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QHash>

namespace lk {

/// Which type a key is likely of by its name: that of those which are called like it. One key in
/// three commands costs one less where its type need not be asked for. An expectation is no
/// knowledge: the server's answer has to bear it out. No I/O; used by one thread.
class ExpectedTypes
{
public:
    /// None: it is to be asked for.
    KeyType of(const QByteArray& name) const;
    /// The server said so.
    void learn(const QByteArray& name, KeyType type);
    /// It was not what was expected: those that are called like this are asked for more often
    /// before anything is expected of them again.
    void wasWrong(const QByteArray& name);

private:
    struct Namesakes
    {
        KeyType type = KeyType::None;
        int alike = 0;   ///< of that type in a row
        int enough = 16; ///< so many in a row let the next be expected
    };
    QHash<quint64, Namesakes> m_namesakes; ///< by what names have in common
};

} // namespace lk
