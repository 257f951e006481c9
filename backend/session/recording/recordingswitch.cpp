// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/recordingswitch.h"

#include "backend/session/session.h"

namespace lk {

namespace {
constexpr const char* switchProperty = "recordingSwitch"; // a property of the session
} // namespace

RecordingSwitch::~RecordingSwitch() = default;

void RecordingSwitch::giveTo(Session& session)
{
    session.setProperty(switchProperty, QVariant::fromValue<QObject*>(this));
    connect(this, &QObject::destroyed, &session,
            [&session] { session.setProperty(switchProperty, QVariant()); });
}

RecordingSwitch* recordingSwitchOf(const Session& session)
{
    return qobject_cast<RecordingSwitch*>(
        session.live()->property(switchProperty).value<QObject*>());
}

} // namespace lk
