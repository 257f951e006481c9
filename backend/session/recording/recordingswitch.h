// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lk {

class Session;

/// Whether this program records its deployments: one setting for all of its sessions. Whoever opens
/// sessions keeps it and gives it to them. GUI thread.
class RecordingSwitch : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~RecordingSwitch() override;

    virtual bool isOn() const = 0;
    /// At once, and for the next start. What was recorded stays.
    virtual void setOn(bool on) = 0;

    void giveTo(Session& session);

signals:
    void changed(bool on);
};

/// Of that session, or of the live one of it; null: this program does not record at all.
RecordingSwitch* recordingSwitchOf(const Session& session);

} // namespace lk
