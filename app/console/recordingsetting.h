// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/recording/recordingswitch.h"

class QSettings;

namespace lk {

/// The switch of the console: [recording] on=false in its settings turns it off.
class RecordingSetting final : public RecordingSwitch
{
    Q_OBJECT

public:
    /// The settings outlive it.
    explicit RecordingSetting(QSettings& settings);

    bool isOn() const override;
    void setOn(bool on) override;

private:
    QSettings& m_settings;
};

} // namespace lk
