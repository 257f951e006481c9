// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/endthread.h"

#include <QThread>

namespace lk {

/// A thread that runs as long as this lives, and ends with all that it was given to do. Declared
/// before those that give it something.
class OwnThread final : public QThread
{
public:
    explicit OwnThread(const QString& name)
    {
        setObjectName(name);
        start();
    }
    ~OwnThread() override { endThread(*this); }
};

} // namespace lk
