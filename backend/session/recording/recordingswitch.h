// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lk {

class Session;

/// Whether this program records its deployments: one setting for all of its sessions. The owner of
/// the sessions keeps it and gives it to them. GUI thread.
class RecordingSwitch : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~RecordingSwitch() override;

    virtual bool isOn() const = 0;
    /// Applies at once and at the next start. Earlier recordings stay.
    virtual void setOn(bool on) = 0;

    void giveTo(Session& session);

signals:
    void changed(bool on);
};

/// Returns the switch of that session or of its live one; null if this program does not record at
/// all.
RecordingSwitch* recordingSwitchOf(const Session& session);

} // namespace lk
